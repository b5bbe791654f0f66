// The browser of the scripts.

import puppeteer from "puppeteer-core";

// In milliseconds. Many tests run at once, on two processors. The default of 30 s is too short for a large page then.
export const PATIENCE = 120_000;

// Starts the browser at `executablePath`.
export function launch(executablePath) {
  return puppeteer.launch({
    executablePath,
    headless: true,
    args: ["--no-sandbox", "--disable-gpu", "--force-color-profile=srgb"],
    timeout: PATIENCE,
    protocolTimeout: 2 * PATIENCE,
  });
}

// Opens a page, which waits up to PATIENCE.
export async function openPage(browser) {
  const page = await browser.newPage();
  page.setDefaultTimeout(PATIENCE);
  return page;
}

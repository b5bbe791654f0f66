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

// Waits until the page has not changed for a while, and nothing in it moves. The time is counted in turns of the page,
// since a busy machine may give it none.
export function settled(page) {
  return page.evaluate(async () => {
    let turns = 0;
    const observer = new MutationObserver(() => { turns = 0; });
    observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
    const moves = ({ playState, effect }) => playState === "running" && Number.isFinite(effect?.getComputedTiming().endTime);
    const deadline = performance.now() + 60_000;
    while (turns < 15 && performance.now() < deadline) {
      turns = document.getAnimations().some(moves) ? 0 : turns + 1;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    observer.disconnect();
  });
}

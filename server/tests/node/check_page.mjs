// Checks and photographs a page, for the scripts that walk through pages.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

// The script of axe, which defines `axe` in a page.
export const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
// The rules to check in light and in dark, which differ in their colors alone.
export const RULES = { light: {}, dark: { runOnly: ["color-contrast", "link-in-text-block"] } };
const DESKTOP = { width: 1200, height: 900 };
const PHONE = { width: 360, height: 740, deviceScaleFactor: 2 };
// The bound of Core Web Vitals for a page that does not move while it loads.
const MAX_SHIFT = 0.1;
// A page with its styles and scripts, compressed.
const MAX_BYTES = 150_000;

// The sum of the layout shifts while the page loaded, and its size. Runs in the page.
function costs() {
  const observer = new PerformanceObserver(() => {});
  observer.observe({ type: "layout-shift", buffered: true });
  const [load] = performance.getEntriesByType("navigation");
  // The browser draws the last shift shortly after the load. What the scripts of the tests change is later.
  const end = (load.loadEventEnd || performance.now()) + 50;
  const shifts = observer.takeRecords().filter((one) => !one.hadRecentInput && one.startTime < end);
  observer.disconnect();
  const files = [load, ...performance.getEntriesByType("resource")];
  return {
    isMeasured: PerformanceObserver.supportedEntryTypes.includes("layout-shift"),
    shift: shifts.reduce((sum, one) => sum + one.value, 0),
    bytes: files.reduce((sum, one) => sum + one.encodedBodySize, 0),
  };
}

// What axe finds. The elements without findings would be most of its result. Runs in the page.
async function run(options) {
  const { violations } = await axe.run({ ...options, resultTypes: ["violations"] });
  return violations;
}

// Checks that axe finds nothing on the page, in light and dark and on a phone, and that the page is not
// wider than a phone. Checks that its parts have not moved while it loaded, and that it is small. If the environment
// has ACCORD_PICTURES, photographs it each time as `NAME-light.png`, `NAME-dark.png`, `NAME-phone-light.png` and
// `NAME-phone-dark.png` in the folder `pictures`. Without a folder, does nothing.
export async function checkPage(page, pictures, name) {
  if (!pictures) return;
  const photograph = async (suffix) => {
    if (!process.env.ACCORD_PICTURES) return;
    const path = join(pictures, `${name}-${suffix}.png`);
    await page.screenshot({ path, fullPage: true, optimizeForSpeed: true });
  };
  const setScheme = (value) => page.emulateMediaFeatures([{ name: "prefers-color-scheme", value }]);
  const hasNoFindings = async (options, state) => {
    const violations = await page.evaluate(run, options);
    const findings = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" ")}`);
    assert.deepEqual(findings, [], `accessibility of ${name}, ${state}`);
  };
  await page.evaluate(axe);
  await page.setViewport(DESKTOP);
  for (const [scheme, options] of Object.entries(RULES)) {
    await setScheme(scheme);
    await hasNoFindings(options, scheme);
    await photograph(scheme);
  }
  // Here, because the browser draws all of a page before axe ends.
  const { isMeasured, shift, bytes } = await page.evaluate(costs);
  assert.ok(isMeasured, "the browser does not measure layout shifts");
  assert.ok(shift < MAX_SHIFT, `${name} moves while it loads: ${shift}`);
  assert.ok(bytes > 0 && bytes < MAX_BYTES, `${name} has ${bytes} bytes`);
  // Not as a mobile: that would load the page again, and so send its form again.
  await page.setViewport(PHONE);
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  assert.ok(overflow <= 0, `${name} is ${overflow} pixels wider than a phone`);
  for (const scheme of ["dark", "light"]) {
    await setScheme(scheme);
    await photograph(`phone-${scheme}`);
  }
  await hasNoFindings(RULES.light, "phone");
  await page.setViewport(DESKTOP);
}

// Corrects what the renderer draws, for keyboards and screen readers. It draws at any time, so each change is watched.

const all = (selector) => document.querySelectorAll(selector);

/** Each correction runs after every change, and changes only what is still wrong. */
const corrections = [
  // A link whose text is hidden gets its address as its name.
  () => {
    for (const link of all("#reference a[href]:has(svg):not([aria-label])")) {
      if (!link.innerText.trim()) link.setAttribute("aria-label", link.href.replace(/^(mailto:|https?:\/\/)/, ""));
    }
  },
  // The keyboard scrolls a sample only if it can have the focus.
  () => {
    for (const sample of all(".custom-scroll:not([tabindex])")) {
      const { scrollWidth, clientWidth, scrollHeight, clientHeight } = sample;
      if (scrollWidth > clientWidth || scrollHeight > clientHeight) sample.tabIndex = 0;
    }
  },
  // Buttons are buttons.
  () => all("button[role=none]").forEach((button) => button.removeAttribute("role")),
  // The fields of a request propose values, but do not say when they show them.
  () => all(".code-input-lite__editor[role=combobox]").forEach((field) => field.setAttribute("role", "textbox")),
  () => all(".cm-content:not([aria-label])").forEach((field) => field.setAttribute("aria-label", "Body")),
  () => {
    for (const field of all("input[role=combobox]:not([aria-expanded])")) field.setAttribute("aria-expanded", "true");
  },
  // Regions have different names.
  () => {
    [...all("section[aria-label^=Notifications]")].slice(1).forEach((region, index) => {
      region.setAttribute("aria-label", `More notifications ${index + 1}`);
    });
  },
];

/** While the form to send a request is open, the page behind it is out of reach. At once, since the focus returns there. */
function lock() {
  const isOpen = document.querySelector(".scalar-client--open") !== null;
  all("main.references-rendered").forEach((main) => main.toggleAttribute("inert", isOpen));
}

let isPlanned = false;

/** Corrects the page once for all changes of a frame. */
function plan() {
  if (isPlanned) return;
  isPlanned = true;
  requestAnimationFrame(() => {
    isPlanned = false;
    for (const correct of corrections) correct();
  });
}

/** Corrects the page now, after each change of it, and when its width changes. */
export function keepAccessible() {
  const changed = () => {
    lock();
    plan();
  };
  const watched = { childList: true, subtree: true, attributes: true, attributeFilter: ["class", "style"] };
  new MutationObserver(changed).observe(document.body, watched);
  addEventListener("resize", plan);
  plan();
}

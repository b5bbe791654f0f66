// Shows the buttons that copy a text of the page to the clipboard. Without scripts they stay
// hidden, and people select the text.

// Screen readers do not read the new text of a button that has the focus.
const outcome = document.createElement("p");
outcome.className = "hidden";
outcome.setAttribute("role", "status");
document.querySelector("main").append(outcome);

for (const button of document.querySelectorAll("button[data-copy]")) {
  const label = button.textContent;
  const show = (text) => {
    button.textContent = text || label;
    outcome.textContent = text;
  };
  button.hidden = !navigator.clipboard;
  button.addEventListener("click", async () => {
    const text = document.getElementById(button.dataset.copy).textContent;
    try {
      await navigator.clipboard.writeText(text);
      show("Copied");
    } catch {
      show("Select the text and copy it");
    }
    setTimeout(() => show(""), 3000);
  });
}

// Shows the buttons that copy a text of the page to the clipboard. Without scripts they stay
// hidden, and people select the text.
for (const button of document.querySelectorAll("button[data-copy]")) {
  const label = button.textContent;
  button.hidden = !navigator.clipboard;
  button.addEventListener("click", async () => {
    const text = document.getElementById(button.dataset.copy).textContent;
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = "Copied";
    } catch {
      button.textContent = "Select the text and copy it";
    }
    setTimeout(() => { button.textContent = label; }, 3000);
  });
}

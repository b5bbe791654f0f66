// Shows the box that reveals the passwords of its form. Without scripts it stays hidden.
for (const box of document.querySelectorAll("[data-reveal] input")) {
  const fields = box.form.querySelectorAll("input[type=password]");
  const reveal = (shown) => fields.forEach((field) => { field.type = shown ? "text" : "password"; });
  fields.forEach((field) => {
    // Some spell checkers send the text of a field to their vendor.
    field.spellcheck = false;
    field.autocapitalize = "none";
  });
  box.parentElement.hidden = false;
  box.addEventListener("change", () => reveal(box.checked));
  // Browsers store the texts of fields that are not passwords.
  box.form.addEventListener("submit", () => {
    box.checked = false;
    reveal(false);
  });
}

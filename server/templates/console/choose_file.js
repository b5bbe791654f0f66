// Reads a chosen file into the text field below it. Without scripts the button stays hidden, and
// people paste the text.
const chosen = document.querySelector("input[data-into]");
const into = document.getElementById(chosen.dataset.into);
// A form with more text is too large for the service.
const MAX_BYTES = 100_000;

async function read(file) {
  if (file.size > MAX_BYTES) throw new Error("The file is too large for this form. Use accord users import.");
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
  } catch {
    throw new Error("The file cannot be read as UTF-8. Save it as CSV in UTF-8, and choose it again.");
  }
}

chosen.closest("[hidden]").hidden = false;
chosen.addEventListener("change", async () => {
  chosen.setCustomValidity("");
  const [file] = chosen.files;
  if (!file) return;
  try {
    into.value = await read(file);
  } catch (error) {
    chosen.setCustomValidity(error.message);
    chosen.reportValidity();
  }
});
// A text that is pasted or typed does not need the file.
into.addEventListener("input", () => chosen.setCustomValidity(""));

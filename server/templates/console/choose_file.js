// Reads a chosen file into the text field below it. Without scripts the button stays hidden, and
// people paste the text.
const chosen = document.querySelector("input[data-into]");
chosen.closest("[hidden]").hidden = false;
chosen.addEventListener("change", async () => {
  const [file] = chosen.files;
  if (file) document.getElementById(chosen.dataset.into).value = await file.text();
});

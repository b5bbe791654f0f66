// Passkeys need a script: only it can ask the browser for one. Without it, the
// forms that it serves stay hidden, and everything else works.
const form = document.querySelector("form[data-passkey]");
const protocol = window.PublicKeyCredential;

function answer(options) {
  const { credentials } = navigator;
  return form.dataset.passkey === "make"
    ? credentials.create({ publicKey: protocol.parseCreationOptionsFromJSON(options) })
    : credentials.get({ publicKey: protocol.parseRequestOptionsFromJSON(options) });
}

if (form && protocol?.parseCreationOptionsFromJSON) {
  const problem = form.querySelector("[role=alert]");
  // A browser makes one request for a passkey at a time, and fails another one.
  let isAsking = false;
  form.hidden = false;
  document.querySelector("[data-without-passkeys]")?.remove();
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (isAsking) return;
    isAsking = true;
    problem.hidden = true;
    try {
      const credential = await answer(JSON.parse(form.dataset.options));
      form.elements.credential.value = JSON.stringify(credential);
      form.submit();
    } catch (error) {
      console.debug("passkey:", error);
      const { repeated, silent } = problem.dataset;
      problem.textContent = error.name === "InvalidStateError" && repeated ? repeated : silent;
      problem.hidden = false;
    } finally {
      isAsking = false;
    }
  });
}

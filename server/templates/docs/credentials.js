// The credentials of this page: in memory only, gone when the page is closed or loaded again.

/** The access token and the API key's secret that the requests of this page use. */
export class Credentials {
  #secrets = new Map();
  #timers = new Map();
  #listeners = [];

  /** Uses a secret for a security scheme of the documents, for so many seconds; without a secret, none. */
  use(scheme, secret, seconds) {
    clearTimeout(this.#timers.get(scheme));
    if (secret) this.#secrets.set(scheme, secret);
    else this.#secrets.delete(scheme);
    if (secret && seconds) this.#timers.set(scheme, setTimeout(() => this.use(scheme), seconds * 1000));
    for (const listener of this.#listeners) listener();
  }

  /** Calls `listener` after each change. */
  onChange(listener) {
    this.#listeners.push(listener);
  }

  /** The secret of a security scheme, if there is one. */
  of(scheme) {
    return this.#secrets.get(scheme);
  }

  /** The schemes with their secrets, as the renderer's configuration has them. */
  schemes() {
    return Object.fromEntries([...this.#secrets].map(([scheme, token]) => [scheme, { token }]));
  }
}

/** Gives the nonce of the page to the library that writes `<style>` elements for open dialogs. */

/** The library reads this global name. */
declare global {
  var __webpack_nonce__: string | undefined;
}

export function passNonce(): void {
  const meta = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]');
  globalThis.__webpack_nonce__ = meta?.nonce;
}

/** Whom the listeners of the window must not disturb: fields in which somebody writes, and dialogs. */

/** Whether an event comes from a field. */
export const inField = ({ target }: Event): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('input, textarea, select'));

/** Whether a dialog is open. What is behind it is out of reach. */
export const isBehindDialog = (): boolean => document.querySelector('dialog[open]') !== null;

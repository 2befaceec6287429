/** The error for a person who cannot be connected to a storage. */

/** The message is for the user. */
export class ConnectionRefused extends Error {
  /** @param fault true if the storage failed, false if the request was wrong */
  constructor(
    message: string,
    readonly fault = false,
  ) {
    super(message);
    this.name = 'ConnectionRefused';
  }
}

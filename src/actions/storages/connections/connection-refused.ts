/** The error for a person who cannot be connected to a storage. */

/** The message is in English. Pages say `why` in the language of the user. */
export class ConnectionRefused extends Error {
  readonly why: 'late' | 'changed' | 'denied' | 'grant' | 'silent' | 'storage';
  /** What the storage or the network answered. */
  readonly detail: string;
  /** True if the storage failed, false if the request was wrong. */
  readonly fault: boolean;

  constructor(
    message: string,
    {
      why,
      detail = '',
      fault = false,
    }: { why: ConnectionRefused['why']; detail?: string; fault?: boolean },
  ) {
    super(message);
    this.name = 'ConnectionRefused';
    this.why = why;
    this.detail = detail;
    this.fault = fault;
  }
}

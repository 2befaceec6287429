/** The interface of a mail server. */

/** A plain text. */
interface Message {
  /** The same for every attempt to send it. A server can then notice that it has the message. */
  id: string;
  to: { name: string; address: string };
  subject: string;
  text: string;
  /** An address that ends such messages when it gets a POST, see RFC 8058. */
  unsubscribe?: string | undefined;
}

export interface Mailer {
  /** @throws MailServerUnavailable, MessageRefused */
  send(message: Message, signal: AbortSignal): Promise<void>;
  /** Connects and signs in. @throws MailServerUnavailable */
  check(): Promise<void>;
  /** Host and port of the server. */
  address: string;
}

/** Where mails are handed over, and who sends them. */
export interface MailSettings {
  server: {
    host: string;
    port: number;
    /** TLS from the first byte. Without it, STARTTLS is used if the server offers it. */
    secure: boolean;
    credentials: { user: string; pass: string } | undefined;
  };
  /** `Name <address>`, or an address alone. */
  from: string;
}

/** No message can be sent now: the server was not reached, or it refuses us. */
export class MailServerUnavailable extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'MailServerUnavailable';
  }
}

/** The server takes other messages, but not this one. */
export class MessageRefused extends Error {
  /** @param isFinal whether the server will not change its answer */
  constructor(
    status: number,
    readonly isFinal: boolean,
  ) {
    super(`The mail server refused the message with ${status}.`);
    this.name = 'MessageRefused';
  }
}

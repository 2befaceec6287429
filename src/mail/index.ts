/** Sends messages by SMTP. */
import { createTransport } from 'nodemailer';
import { isLoopback } from '../contract/loopback.js';
import { MailServerUnavailable, MessageRefused, type Mailer, type MailSettings } from './mailer.js';

/** In milliseconds. */
const CONNECT_MS = 10_000;
const SILENCE_MS = 30_000;
/** Of one message, from the connection to the answer. */
const MESSAGE_MS = 60_000;

/** What an error of the library says, see its `errors` module. */
interface SmtpError extends Error {
  code?: string;
  command?: string;
  responseCode?: number;
}

/** RFC 5321, 4.2.1: after an answer of 4yz, the same can succeed later. */
const isFinal = (answer: number): boolean => !String(answer).startsWith('4');

/** Commands whose refusal concerns the one message. Others concern the service. */
const OF_MESSAGE = ['RCPT TO', 'DATA'];

export function openMailer({ server, from }: MailSettings): Mailer {
  const { host, port, secure, credentials } = server;
  const transport = createTransport({
    host,
    port,
    secure,
    ...(credentials && { auth: credentials }),
    // A password is never sent in clear over a network.
    requireTLS: credentials !== undefined && !secure && !isLoopback(host),
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const address = `${host}:${port}`;
  const failure = (error: SmtpError): Error => {
    const { code, command = '', responseCode } = error;
    if (responseCode !== undefined && OF_MESSAGE.includes(command))
      return new MessageRefused(responseCode, isFinal(responseCode));
    const reason = responseCode === undefined ? (code ?? error.name) : `${command} ${responseCode}`;
    // The text of an answer can have the address of a person in it.
    return new MailServerUnavailable(
      `The mail server ${address} does not work: ${reason}. Check SMTP_URL.`,
    );
  };
  return {
    address,
    send: async ({ id, to, subject, text, unsubscribe }, signal) => {
      signal.throwIfAborted();
      const sending = new AbortController();
      const abort = () => sending.abort();
      const deadline = setTimeout(abort, MESSAGE_MS);
      signal.addEventListener('abort', abort);
      try {
        await transport.sendMail({
          from,
          to,
          subject,
          text,
          messageId: `<${id}@${domainOf(from)}>`,
          headers: {
            // RFC 3834: no automatic answer is wanted.
            'Auto-Submitted': 'auto-generated',
            ...(unsubscribe !== undefined && {
              'List-Unsubscribe': `<${unsubscribe}>`,
              'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
            }),
          },
          signal: sending.signal,
        });
      } catch (error) {
        signal.throwIfAborted();
        throw failure(error as SmtpError);
      } finally {
        clearTimeout(deadline);
        signal.removeEventListener('abort', abort);
      }
    },
    check: async () => {
      try {
        await transport.verify();
      } catch (error) {
        throw failure(error as SmtpError);
      }
    },
  };
}

const domainOf = (from: string): string => /@([^\s>]+)/.exec(from)?.[1] ?? 'localhost';

/** An SMTP server on a free port, which keeps what it gets. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';

export interface Received {
  /** The recipients of the envelope. */
  to: string[];
  from: { name: string; address: string };
  subject: string;
  text: string;
  messageId: string;
  headers: { [name: string]: string };
}

export interface Smtp {
  /** For `SMTP_URL`. */
  url: string;
  received: Received[];
  /** What it answers to a recipient. Undefined: it takes the message. */
  refuse: ((recipient: string) => number | undefined | Promise<number | undefined>) | undefined;
  /** The logins and passwords that clients sent. */
  logins: string[];
  /** Waits for so many messages in all. */
  messages(count: number): Promise<Received[]>;
  stop(): Promise<void>;
}

/** @param port of a server that was stopped; default: a free one */
export async function startSmtp(port = 0, { password }: { password?: string } = {}): Promise<Smtp> {
  const received: Received[] = [];
  const logins: string[] = [];
  const waiting = new Set<() => void>();
  const server = new SMTPServer({
    authOptional: password === undefined,
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    onAuth: (auth, _session, done) => {
      logins.push(`${auth.username}:${auth.password}`);
      if (auth.password === password) done(null, { user: auth.username });
      else done(new Error('wrong password'));
    },
    onRcptTo: ({ address }, _session, done) => {
      void Promise.resolve(smtp.refuse?.(address)).then((status) =>
        done(
          status === undefined ? null : Object.assign(new Error('no'), { responseCode: status }),
        ),
      );
    },
    onData: (stream, { envelope }, done) => {
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('end', () => {
        void PostalMime.parse(Buffer.concat(parts)).then((mail) => {
          received.push({
            to: envelope.rcptTo.map(({ address }) => address),
            from: { name: mail.from?.name ?? '', address: mail.from?.address ?? '' },
            subject: mail.subject ?? '',
            text: mail.text ?? '',
            messageId: mail.messageId ?? '',
            headers: Object.fromEntries(mail.headers.map(({ key, value }) => [key, value])),
          });
          for (const look of waiting) look();
          done();
        }, done);
      });
    },
  });
  server.on('error', () => undefined);
  await once(server.listen(port, '127.0.0.1'), 'listening');
  const { port: listening } = server.server.address() as AddressInfo;
  const credentials = password === undefined ? '' : `moorage:${encodeURIComponent(password)}@`;
  const smtp: Smtp = {
    url: `smtp://${credentials}127.0.0.1:${listening}`,
    received,
    refuse: undefined,
    logins,
    messages: (count) =>
      new Promise((resolve) => {
        const look = () => {
          if (received.length < count) return;
          waiting.delete(look);
          resolve([...received]);
        };
        waiting.add(look);
        look();
      }),
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
  return smtp;
}

/** The e-mails that tell administrators what is wrong. */
import type { Context } from '../../../context.js';
import type { Letter } from '../../../mail/letter.js';
import { sizeIn, timeIn, type Say } from '../../../mail/words/index.js';
import { Alert } from '../../../models/alert.js';
import { AttachmentStatus } from '../../../models/attachment.js';
import { Storage } from '../../../models/storage.js';
import { DeliveryState, Webhook, WebhookDelivery } from '../../../models/webhook.js';
import { find } from '../../../policies/find.js';
import type { Writer } from './writer.js';

interface About {
  context: Context;
  say: Say;
  subject: string;
  /** What comes after the colon of the subject. */
  id: string;
}

const letters: { [about: string]: (about: About) => Promise<Letter | undefined> } = {
  quarantine: ofQuarantine,
  storage: ofStorage,
  webhook: ofWebhook,
  disk: ofDisk,
};

/** What is over is not told any more. */
export const alertLetter: Writer = async (context, { subject }, say) => {
  if (!context.user.admin) return undefined;
  const [about = '', id = ''] = subject.split(/:(.*)/s);
  const letter = await letters[about]?.({ context, say, subject, id });
  return letter && { ...letter, paragraphs: [...letter.paragraphs, say('alert.why')] };
};

const alertOf = ({ db }: Context, subject: string) => Alert.query(db.read).findOne({ subject });
const languageOf = ({ user }: Context) => user.language ?? 'en';

async function ofQuarantine({ context, say, id }: About): Promise<Letter | undefined> {
  const attachment = await find.attachment(context, Number(id));
  if (attachment?.status !== AttachmentStatus.QUARANTINED) return undefined;
  const author = await context.loaders.users.load(attachment.authorId);
  const file = attachment.fileName;
  return {
    subject: say('quarantined.subject', { file }),
    paragraphs: [
      {
        text: say('quarantined.text', { file, person: author.name }),
        address: `${context.base.url}/administration/quarantine`,
      },
    ],
  };
}

async function ofStorage({ context, say, id, subject }: About): Promise<Letter | undefined> {
  const storage = await Storage.query(context.db.read).findById(Number(id));
  const alert = await alertOf(context, subject);
  if (!storage || !alert || storage.failingSince === null) return undefined;
  const { name, failingSince } = storage;
  return {
    subject: say('storage.subject', { name }),
    paragraphs: [
      {
        text: say('storage.text', { name, time: timeIn(languageOf(context), failingSince) }),
        address: `${context.base.url}/administration/storages/${id}`,
      },
    ],
  };
}

async function ofWebhook({ context, say, id, subject }: About): Promise<Letter | undefined> {
  const webhook = await Webhook.query(context.db.read).findById(Number(id));
  const alert = await alertOf(context, subject);
  if (!webhook || !alert) return undefined;
  const failed = await WebhookDelivery.query(context.db.read)
    .where({ webhook_id: webhook.id, state: DeliveryState.PENDING })
    .whereNotNull('last_error')
    .orderBy('updated_at')
    .first();
  if (!failed) return undefined;
  // The query of an address can have a secret in it.
  const { host, origin, pathname } = new URL(webhook.url);
  return {
    subject: say('webhook.subject', { host }),
    paragraphs: [
      {
        text: say('webhook.text', {
          address: origin + pathname,
          time: timeIn(languageOf(context), alert.since),
          answer: failed.lastError ?? '',
        }),
        address: `${context.base.url}/administration/webhooks/${id}`,
      },
    ],
  };
}

async function ofDisk({ context, say, id, subject }: About): Promise<Letter | undefined> {
  const alert = await alertOf(context, subject);
  if (!alert) return undefined;
  const { folder = '', free = 0, size = 0 } = alert.facts;
  const language = languageOf(context);
  return {
    subject: say('disk.subject', { host: id }),
    paragraphs: [
      say('disk.text', {
        folder,
        host: id,
        free: sizeIn(language, free),
        size: sizeIn(language, size),
      }),
    ],
  };
}

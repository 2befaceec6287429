import { Field, Float, Int, ObjectType, registerEnumType } from 'type-graphql';
import {
  containerKinds,
  containerTypes,
  type ContainerKey,
  type ContainerType,
} from '../contract/container-kinds.js';
import type { ContainerRecord } from './container.js';
import { DateTime } from './date-time.js';
import { Formattable, plain } from './formattable.js';
import { Node } from './node.js';
import { Record } from './record.js';

/** Interface section 3. */
export enum AttachmentStatus {
  uploaded = 'uploaded',
  prepared = 'prepared',
  scanned = 'scanned',
  quarantined = 'quarantined',
  rescan = 'rescan',
}
registerEnumType(AttachmentStatus, {
  name: 'AttachmentStatus',
  description: 'Where an attachment stands between upload and virus scan.',
  valuesConfig: {
    uploaded: { description: 'The file is complete and not scanned.' },
    prepared: { description: 'A direct upload was prepared and is not complete yet.' },
    scanned: { description: 'The virus scan found nothing, or an administrator released it.' },
    quarantined: { description: 'The virus scan found something; the content is not served.' },
    rescan: { description: 'The file is older than the scanner and waits for its scan.' },
  },
});

@ObjectType({ description: "Checksum of a file's content.", simpleResolvers: true })
export class Digest {
  @Field(() => String, { description: '`sha256` or `md5`.' })
  algorithm!: string;

  @Field(() => String, { description: 'Hexadecimal; empty while the content is not known.' })
  hash!: string;
}

type ContainerKeys = { [key in ContainerKey]: number | null };

// Its columns come from the table of container kinds.
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging
export interface Attachment extends ContainerKeys {}

@ObjectType({
  implements: Node,
  description: 'A file that belongs to a container, or to nobody yet.',
  simpleResolvers: true,
})
export class Attachment extends Record {
  static override tableName = 'attachments';

  @Field(() => Int, { name: 'databaseId', description: 'The integer id of the HAL document.' })
  declare id: number;

  @Field(() => String, { description: 'The file name.' })
  get title(): string {
    return this.fileName;
  }

  @Field(() => String, { description: 'Name of the file, 1 to 255 characters.' })
  declare fileName: string;

  @Field(() => Float, { description: 'Size in bytes, a whole number.' })
  declare fileSize: number;

  @Field(() => Formattable, {
    description: 'What the uploader says about the file, at most 255 characters.',
  })
  get description(): Formattable {
    return plain(this.descriptionText);
  }

  @Field(() => AttachmentStatus, {
    description: 'Where the file stands between upload and virus scan.',
  })
  declare status: AttachmentStatus;

  @Field(() => String, {
    description: 'Media type as the service determined it from the content and the name.',
  })
  declare contentType: string;

  @Field(() => Digest, { description: 'Checksum of the content.' })
  get digest(): Digest {
    return { algorithm: this.digestAlgorithm, hash: this.digestHash };
  }

  @Field(() => DateTime, { description: 'When its upload began, or was prepared.' })
  declare createdAt: string;

  declare authorId: number;
  declare descriptionText: string;
  declare digestAlgorithm: string;
  declare digestHash: string;
  /** `storing` and `deleting` rows are hidden from everyone. */
  declare phase: 'storing' | 'kept' | 'deleting';
  declare blobKey: string;
  /** Where the client puts the bytes of a prepared upload. */
  declare stagingKey: string | null;
  /** `algorithm:hash` that the client announced. */
  declare declaredDigest: string | null;
  /** Until when the work on this row belongs to the holder of the token; in the past, anybody may take it over. Null: there is none. */
  declare leaseUntil: string | null;
  declare leaseToken: string | null;
  /** How often the present work was begun. */
  declare attempts: number;
  declare expiresAt: string | null;

  /** Set where the row was read through its container. */
  declare knownContainer: ContainerRecord | undefined;

  /** Kind and key of the container, or undefined for an unclaimed attachment. */
  get containerRef(): { type: ContainerType; id: number } | undefined {
    for (const type of containerTypes) {
      const id = this[containerKinds[type].foreignKey];
      if (id !== null && id !== undefined) return { type, id };
    }
    return undefined;
  }
}

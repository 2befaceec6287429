/** Attachments of containers. */
import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import {
  containerKinds,
  containerTypes,
  type ContainerKey,
  type ContainerType,
} from '../contract/container-kinds.js';
import { folded } from '../contract/folded-text.js';
import { MAX_DESCRIPTION, MAX_FILE_NAME } from '../contract/limits.js';
import { ByteCount } from './byte-count.js';
import type { ContainerRecord } from './container.js';
import { DateTime } from './date-time.js';
import { Formattable, plain } from './formattable.js';
import { Node } from './node.js';
import { Record } from './record.js';

export enum AttachmentStatus {
  UPLOADED = 'uploaded',
  PREPARED = 'prepared',
  SCANNED = 'scanned',
  QUARANTINED = 'quarantined',
  RESCAN = 'rescan',
}
registerEnumType(AttachmentStatus, {
  name: 'AttachmentStatus',
  description: 'State of an attachment between upload and virus scan.',
  valuesConfig: {
    UPLOADED: { description: 'The upload is complete; the file is not scanned.' },
    PREPARED: { description: 'A direct upload was prepared and is not complete yet.' },
    SCANNED: {
      description: 'The virus scan found nothing, or an administrator released the file.',
    },
    QUARANTINED: { description: 'The virus scan found malware. Nobody can download the content.' },
    RESCAN: { description: 'The file was uploaded before scanning began, and waits for a scan.' },
  },
});

export enum DigestAlgorithm {
  MD5 = 'md5',
  SHA1 = 'sha1',
  SHA256 = 'sha256',
}
registerEnumType(DigestAlgorithm, {
  name: 'DigestAlgorithm',
  description: 'How a checksum is computed.',
  valuesConfig: {
    MD5: { description: 'MD5 (RFC 1321), 32 hexadecimal digits.' },
    SHA1: {
      description: 'SHA-1 (RFC 3174), 40 hexadecimal digits. The service itself never uses it.',
    },
    SHA256: { description: 'SHA-256 (RFC 6234), 64 hexadecimal digits.' },
  },
});

@ObjectType({ description: "Checksum of a file's content.", simpleResolvers: true })
export class Digest {
  @Field(() => DigestAlgorithm, { description: 'How it is computed.' })
  algorithm!: `${DigestAlgorithm}`;

  @Field(() => String, { description: 'Hexadecimal; empty while the content is unknown.' })
  hash!: string;
}

export type ContainerKeys = { [key in ContainerKey]: number | null };

/** Kind and key of the container of a row; undefined without one. */
export function containerRefOf(
  row: ContainerKeys,
): { type: ContainerType; id: number } | undefined {
  for (const type of containerTypes) {
    const id = row[containerKinds[type].foreignKey];
    if (id !== null && id !== undefined) return { type, id };
  }
  return undefined;
}

// Declares the foreign keys, whose names come from the table of container kinds.
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging
export interface Attachment extends ContainerKeys {}

interface Described {
  fileName: string;
  descriptionText: string;
}

@ObjectType({
  implements: Node,
  description: 'A file in a container, or an uploaded file that no container has claimed yet.',
  simpleResolvers: true,
})
export class Attachment extends Record {
  static override tableName = 'attachments';

  @Field(() => Int, { name: 'databaseId', description: 'The integer id of the HAL document.' })
  declare id: number;

  @Field(() => String, { description: `Name of the file, 1 to ${MAX_FILE_NAME} characters.` })
  declare fileName: string;

  @Field(() => ByteCount, { description: 'Size in bytes.' })
  declare fileSize: number;

  @Field(() => Formattable, {
    description: `Description by the uploader, at most ${MAX_DESCRIPTION} characters.`,
  })
  get description(): Formattable {
    return plain(this.descriptionText);
  }

  @Field(() => AttachmentStatus, {
    description: 'State between upload and virus scan.',
  })
  declare status: AttachmentStatus;

  @Field(() => String, {
    description: 'Media type. The service determines it from content and name.',
  })
  declare contentType: string;

  @Field(() => Digest, { description: 'Checksum of the content.' })
  get digest(): Digest {
    return { algorithm: this.digestAlgorithm, hash: this.digestHash };
  }

  @Field(() => DateTime, { description: 'When the upload began or was prepared.' })
  declare createdAt: string;

  @Field(() => DateTime, {
    description: 'When the content, the container or the state last changed.',
  })
  declare updatedAt: string;

  /** Character encoding of a text, as the service found it. Older texts have none. */
  declare charset: string | null;
  /** What the scan found, or why there was none. */
  declare scanNote: string | null;
  declare authorId: number;
  /** The project of its container. Lists of all files begin with it. */
  declare projectId: number | null;
  /** The name and the description in a line each, folded. Searches read it. */
  declare searchText: string;
  declare descriptionText: string;
  declare digestAlgorithm: `${DigestAlgorithm}`;
  declare digestHash: string;
  /** Nobody can read rows that are `storing` or `deleting`. Those that are `deleted` are in the trash. */
  declare phase: 'storing' | 'kept' | 'deleted' | 'deleting';
  /** Copies have the key of their original. */
  declare blobKey: string;
  /** Object key to which the client of a prepared upload writes. */
  declare stagingKey: string | null;
  /** The attachment that a pending upload gives its content to. */
  declare replacesId: number | null;
  /** The checksum that the client gave, as `algorithm:hash`. */
  declare declaredDigest: string | null;
  /**
   * End of the lease on the work for this row. Until then it belongs to the holder of the token.
   * After it, any process can acquire the work. Null if there is no work.
   */
  declare leaseUntil: string | null;
  declare leaseToken: string | null;
  /** Chosen by the client of a regular upload. Its author has no other attachment with it. */
  declare uploadKey: string | null;
  /** How often the current work was started. */
  declare attempts: number;
  /** Of prepared uploads, and of files without container, also while they arrive. */
  declare expiresAt: string | null;

  /** Who deleted it, and when. These five are set in the trash only. */
  declare deletedById: number | null;
  declare deletedAt: string | null;
  /** When it is removed for good. */
  declare purgeAt: string | null;
  /** The project of its container. */
  declare deletedProjectId: number | null;
  /** The attachment whose former content this is. */
  declare replacedById: number | null;

  /** Set if the row was read through its container. Not a column. */
  declare knownContainer: ContainerRecord | undefined;

  /** Kind and key of the container; undefined for an unclaimed attachment. */
  get containerRef(): { type: ContainerType; id: number } | undefined {
    return containerRefOf(this);
  }

  static searchTextOf = ({ fileName, descriptionText }: Described): string =>
    folded(descriptionText === '' ? fileName : `${fileName}\n${descriptionText}`);

  override $beforeInsert(): void {
    this.searchText = Attachment.searchTextOf(this);
  }

  /** In a patch, both are absent unless one of them changes. */
  override $beforeUpdate(): void {
    const { fileName, descriptionText }: Partial<Described> = this;
    if (fileName === undefined && descriptionText === undefined) return;
    if (fileName === undefined || descriptionText === undefined)
      throw new Error('A patch of the name or the description of a file has both of them.');
    this.searchText = Attachment.searchTextOf({ fileName, descriptionText });
  }
}

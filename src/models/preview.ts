/** What is made of the bytes of a file to show it: small pictures, and pages. */
import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import { Record } from './record.js';

export enum ThumbnailSize {
  SMALL = 'small',
  MEDIUM = 'medium',
  LARGE = 'large',
}
registerEnumType(ThumbnailSize, {
  name: 'ThumbnailSize',
  description: 'The longest side of a small picture. No picture is enlarged.',
  valuesConfig: {
    SMALL: { description: '128 pixels: for lists.' },
    MEDIUM: { description: '512 pixels: for tiles.' },
    LARGE: { description: '1,600 pixels: for a screen.' },
  },
});

export enum PreviewState {
  PENDING = 'pending',
  READY = 'ready',
  NONE = 'none',
  FAILED = 'failed',
}
registerEnumType(PreviewState, {
  name: 'PreviewState',
  description: 'Whether there are small pictures of a file.',
  valuesConfig: {
    PENDING: { description: 'They will be made: soon, or after the virus scan.' },
    READY: { description: 'They are made.' },
    NONE: { description: 'There are none for this type, or in this service.' },
    FAILED: { description: 'The file could not be read.' },
  },
});

@ObjectType({
  description:
    'A small picture of a file. Its address never shows another one, so browsers store it. ' +
    'Everybody who may download the file sees it.',
  simpleResolvers: true,
})
export class Thumbnail {
  @Field(() => String, { description: 'URL at this service.' })
  href!: string;

  @Field(() => Int, { description: 'Width in pixels.' })
  width!: number;

  @Field(() => Int, { description: 'Height in pixels.' })
  height!: number;

  @Field(() => String, { description: 'Media type: `image/webp`.' })
  contentType!: string;
}

@ObjectType({ description: 'The pages of a document, for a viewer.', simpleResolvers: true })
export class DocumentPreview {
  @Field(() => String, { description: 'URL at this service.' })
  href!: string;

  @Field(() => String, { description: 'Media type: `application/pdf`.' })
  contentType!: string;
}

/** An object of the store. Its key begins with that of the file. */
export interface PreviewObject {
  /** `small`, `medium`, `large` or `pages`. */
  name: string;
  contentType: string;
  width: number | null;
  height: number | null;
  /** In bytes. */
  size: number;
  /** SHA-256 in hexadecimal. */
  digest: string;
}

/** Belongs to an object of the store, which several attachments can share. */
export class Preview extends Record {
  static override tableName = 'previews';
  static override jsonAttributes = ['objects'];

  declare blobKey: string;
  declare state: 'pending' | 'ready' | 'failed';
  /** Of the whole picture in pixels, upright. */
  declare width: number | null;
  declare height: number | null;
  declare pageCount: number | null;
  declare durationMs: number | null;
  declare objects: PreviewObject[];
  /** As those of attachments. */
  declare leaseUntil: string | null;
  declare leaseToken: string | null;
  declare attempts: number;
}

/** All names of objects of previews. */
export const previewNames = ['small', 'medium', 'large', 'pages'];

export const previewKey = (blobKey: string, name: string): string => `${blobKey}-${name}`;

/** The key of the file to which the key of an object of a preview belongs; undefined for others. */
export const fileKeyOf = (key: string): string | undefined =>
  new RegExp(`^(.+)-(?:${previewNames.join('|')})$`).exec(key)?.[1];

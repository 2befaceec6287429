/** Small pictures and pages of attachments in the graph. */
import { Arg, Ctx, FieldResolver, Float, Int, Resolver, Root } from 'type-graphql';
import {
  addressOf,
  previewState,
  readyPreview,
  thumbnailOf,
} from '../actions/files/previews/read-previews.js';
import type { Context } from '../context.js';
import { Attachment } from '../models/attachment.js';
import { DocumentPreview, PreviewState, Thumbnail, ThumbnailSize } from '../models/preview.js';

@Resolver(() => Attachment)
export class PreviewResolver {
  @FieldResolver(() => PreviewState, { description: 'Whether there are small pictures.' })
  previewState(@Root() attachment: Attachment, @Ctx() context: Context): Promise<PreviewState> {
    return previewState(context, attachment);
  }

  @FieldResolver(() => Thumbnail, {
    nullable: true,
    description:
      'A small picture of the file: of a picture, of the first page of a document, ' +
      'or of a frame of a film. Null as long as there is none (`previewState`), ' +
      'and if the caller may not download the file.',
  })
  async thumbnail(
    @Root() attachment: Attachment,
    @Arg('size', () => ThumbnailSize, { description: 'Its longest side.' }) size: ThumbnailSize,
    @Ctx() context: Context,
  ): Promise<Thumbnail | null> {
    const row = await readyPreview(context, attachment);
    const object = row && thumbnailOf(row, size);
    // Cast: a picture has a size.
    return object
      ? ({ ...object, href: addressOf(context, attachment, object) } as Thumbnail)
      : null;
  }

  @FieldResolver(() => DocumentPreview, {
    nullable: true,
    description:
      'The pages of an office document as a PDF. Null for other files, as long as there is none, ' +
      'and if the caller may not download the file.',
  })
  async preview(
    @Root() attachment: Attachment,
    @Ctx() context: Context,
  ): Promise<DocumentPreview | null> {
    const pages = (await readyPreview(context, attachment))?.objects.find(
      ({ name }) => name === 'pages',
    );
    return pages ? { ...pages, href: addressOf(context, attachment, pages) } : null;
  }

  @FieldResolver(() => Int, {
    nullable: true,
    description: 'Width in pixels of the upright picture or film. Null if it is not known.',
  })
  async width(@Root() attachment: Attachment, @Ctx() context: Context): Promise<number | null> {
    return (await readyPreview(context, attachment))?.width ?? null;
  }

  @FieldResolver(() => Int, {
    nullable: true,
    description: 'Height in pixels of the upright picture or film. Null if it is not known.',
  })
  async height(@Root() attachment: Attachment, @Ctx() context: Context): Promise<number | null> {
    return (await readyPreview(context, attachment))?.height ?? null;
  }

  @FieldResolver(() => Int, {
    nullable: true,
    description: 'Number of pages of a document. Null if it is not known.',
  })
  async pageCount(@Root() attachment: Attachment, @Ctx() context: Context): Promise<number | null> {
    return (await readyPreview(context, attachment))?.pageCount ?? null;
  }

  @FieldResolver(() => Float, {
    nullable: true,
    description: 'Length of a film in seconds. Null if it is not known.',
  })
  async duration(@Root() attachment: Attachment, @Ctx() context: Context): Promise<number | null> {
    const ms = (await readyPreview(context, attachment))?.durationMs;
    return typeof ms === 'number' ? ms / 1000 : null;
  }
}

/** The foreign keys of an attachment in a container. */
import { containerKinds, containerTypes } from '../../../contract/container-kinds.js';
import type { Attachment } from '../../../models/attachment.js';

/** @param container undefined for an attachment without one */
export const placedIn = (container: Attachment['containerRef']): Partial<Attachment> =>
  Object.fromEntries(
    containerTypes.map((type) => [
      containerKinds[type].foreignKey,
      type === container?.type ? container.id : null,
    ]),
  );

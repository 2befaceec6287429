/** The columns of an attachment that say where it is. */
import { containerKinds, containerTypes } from '../../../contract/container-kinds.js';
import type { Attachment } from '../../../models/attachment.js';
import type { ContainerType } from '../../../models/container.js';

/** A container, with the project that it belongs to. */
export interface Place {
  type: ContainerType;
  id: number;
  projectId: number | null;
}

/** @param place undefined for an attachment without a container */
export const placedIn = (place: Place | undefined): Partial<Attachment> => ({
  ...Object.fromEntries(
    containerTypes.map((type) => [
      containerKinds[type].foreignKey,
      type === place?.type ? place.id : null,
    ]),
  ),
  projectId: place?.projectId ?? null,
});

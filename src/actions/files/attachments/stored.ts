/** What is known of a file once its bytes are stored. */
import type { DetectedType } from './detect-type.js';
import type { ValidDetails } from './validate-name-and-description.js';

export type Stored = ValidDetails & DetectedType & { fileSize: number; digestHash: string };

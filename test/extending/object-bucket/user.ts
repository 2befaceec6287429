import type { Access } from '../adapter.js';
import { session } from './session.js';

export const user = async (access: Access): Promise<string> => (await session(access)).userId;

/** Says of which files this machine can make previews, and what is missing. */
import type { Services } from '../../../context.js';

const nouns = {
  document: 'PDF',
  film: 'films',
  office: 'office documents',
} as const;

/** @throws if no picture can be drawn */
export async function tryPreviews({ drawer }: Pick<Services, 'drawer'>): Promise<string> {
  if (!drawer.isOn) return 'off; PREVIEWS=true makes small pictures of files';
  const { noPictures, missing } = await drawer.tools();
  if (noPictures !== undefined)
    throw new Error(
      `The package sharp does not load (${noPictures}). Install it for this system with npm, ` +
        'or set PREVIEWS=false.',
    );
  const others = Object.entries(nouns).map(([kind, noun]) => {
    const programs = missing[kind as keyof typeof nouns];
    return programs.length === 0 ? noun : `no ${noun} (${programs.join(' and ')} not found)`;
  });
  return ['pictures', ...others].join(', ');
}

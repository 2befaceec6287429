/** Comments that are not sent yet. Texts outlive the page; files cannot. */
import { shownPerson } from '../service';

export interface Draft {
  text: string;
  files: readonly File[];
}

const files = new Map<string, readonly File[]>();
/** What one person writes is not shown to the next one at the same computer. */
const keyOf = (place: string): string => `moorage comment ${shownPerson()} ${place}`;

export const draftOf = (place: string): Draft => ({
  text: sessionStorage.getItem(keyOf(place)) ?? '',
  files: files.get(place) ?? [],
});

export function keepDraft(place: string, draft: Draft): void {
  files.set(place, draft.files);
  if (draft.text) sessionStorage.setItem(keyOf(place), draft.text);
  else sessionStorage.removeItem(keyOf(place));
}

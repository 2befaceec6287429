/** What an e-mail says, before it has the form of a text. */

/** A sentence, or one with an address that belongs to it. */
export type Paragraph = string | { text: string; address: string };

export interface Letter {
  subject: string;
  paragraphs: readonly Paragraph[];
  /** See `Message`. */
  unsubscribe?: string;
}

/** An address has a line of its own: programs then make a link of it. */
export const textOf = ({ paragraphs }: Letter): string =>
  `${paragraphs
    .map((part) => (typeof part === 'string' ? part : `${part.text}\n${part.address}`))
    .join('\n\n')}\n`;

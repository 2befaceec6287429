/** The unpaginated collection (interface 2.1). */
export const collection = <E extends object>(self: string, total: number, elements: E[]) => ({
  _type: 'Collection' as const,
  total,
  count: elements.length,
  _embedded: { elements },
  _links: { self: { href: self } },
});

/** Whether a host name or address can only be reached from the same computer. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || /^(::1|\[::1\])$/.test(host) || /^127(\.\d{1,3}){3}$/.test(host);

/** Drawings of one line each, 24 × 24. They never stand without words. */
const shapes = {
  search: 'M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13M15.5 15.5 20 20',
  bell: 'M6 16V10.5a6 6 0 0 1 12 0V16l1.5 2h-15zM10 21h4',
  menu: 'M4 7h16M4 12h16M4 17h16',
  close: 'M6 6l12 12M18 6 6 18',
  plus: 'M12 5v14M5 12h14',
  minus: 'M5 12h14',
  back: 'M19 12H5M11 6l-6 6 6 6',
  previous: 'M15 5l-7 7 7 7',
  next: 'M9 5l7 7-7 7',
  fit: 'M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5',
  info: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18M12 11v5.5M12 7.7v.01',
  link: 'M10 14a4 4 0 0 0 6 .4l3-3a4 4 0 0 0-5.7-5.7l-1 1M14 10a4 4 0 0 0-6-.4l-3 3a4 4 0 0 0 5.7 5.7l1-1',
  grid: 'M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h6v6h-6z',
  list: 'M9 6h11M9 12h11M9 18h11M4.5 6h.01M4.5 12h.01M4.5 18h.01',
  down: 'M12 4v11M7 11l5 5 5-5M5 20h14',
  drop: 'M12 3v10M8 9.5l4 4 4-4M4 14v6h16v-6',
  bin: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13M10.5 11v5M13.5 11v5',
  eye: 'M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12M12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6',
  text: 'M4 6h16M4 10.5h16M4 15h16M4 19.5h9',
  swap: 'M4 8h15M15 4l4 4-4 4M20 16H5M9 12l-4 4 4 4',
  move: 'M3 6h7l2 2.5h9V19H3zM9 13.8h6M12.6 11.2l2.6 2.6-2.6 2.6',
  camera: 'M4 8h4l1.5-2.5h5L16 8h4v11H4zM12 16.5a3.3 3.3 0 1 0 0-6.6 3.3 3.3 0 0 0 0 6.6',
  pencil: 'M4 20l1-4L16 5l3 3L8 19z',
  pause: 'M9 6v12M15 6v12',
  play: 'M8 5l11 7-11 7z',
  again: 'M19 8a8 8 0 1 0 1 5M19 3v5h-5',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  warn: 'M12 4 2.5 20h19zM12 10v4.5M12 17.3v.01',
  stop: 'M8.5 3h7L21 8.5v7L15.5 21h-7L3 15.5v-7zM12 8v5M12 16v.01',
  shield: 'M12 3l7 3v5.5c0 4.5-3 7.5-7 9.5-4-2-7-5-7-9.5V6z',
  clock: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18M12 7v5l3.5 2',
  lock: 'M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3',
  out: 'M14 4h6v6M20 4l-9 9M18 14v6H4V6h6',
  key: 'M8 15.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7M11.5 12H21v3M17 12v2.5',
  up: 'M6 15l6-6 6 6',
  shut: 'M6 9l6 6 6-6',
  more: 'M6 12h.01M12 12h.01M18 12h.01',
  server: 'M4 5h16v6H4zM4 13h16v6H4zM7.5 8h.01M7.5 16h.01',
  cloud: 'M7 18a4 4 0 0 1-.5-8 6 6 0 0 1 11.3 1.5A3.3 3.3 0 0 1 17 18z',
  copy: 'M9 9h11v11H9zM15 9V4H4v11h5',
  picture: 'M4 5h16v14H4zM4 16l5-5 4 4 2.5-2.5L20 17M15.5 9h.01',
  paper: 'M6 3h8l4 4v14H6zM14 3v4h4M9 12h6M9 16h6',
  table: 'M4 5h16v14H4zM4 10h16M4 14.5h16M10 5v14',
  plan: 'M5 19V5l14 14zM9 15v-3l3 3z',
  film: 'M4 5h16v14H4zM10 9l5 3-5 3z',
  sound: 'M4 10v4M8 7v10M12 4v16M16 8v8M20 10.5v3',
  box: 'M4 8l8-4 8 4v8l-8 4-8-4zM4 8l8 4 8-4M12 12v8',
  slides: 'M4 5h16v11H4zM12 16v4M8.5 20h7M8 12.5V11M12 12.5V8.5M16 12.5V10',
  lines: 'M5 7h14M5 12h14M5 17h9',
  code: 'M9 8l-4 4 4 4M15 8l4 4-4 4',
  archive: 'M4 5h16v4H4zM6 9v10h12V9M10 13h4',
  mail: 'M4 6h16v12H4zM4 7l8 6 8-6',
  folder: 'M3 6h7l2 2.5h9V19H3z',
  file: 'M6 3h8l4 4v14H6zM14 3v4h4',
  talk: 'M4 5h16v11h-8l-5 4v-4H4z',
  clip: 'M19 11l-7.5 7.5a4.2 4.2 0 0 1-6-6L13 5a2.8 2.8 0 0 1 4 4l-7.5 7.5a1.4 1.4 0 0 1-2-2L14 8',
  send: 'M4 20l16-8L4 4l2.5 8zM6.5 12H12',
} as const;

export type IconName = keyof typeof shapes;

/** These follow the direction in which the language is read. */
const POINTING: readonly IconName[] = ['back', 'previous', 'next', 'out'];

export function Icon({ name, turning = false }: { name: IconName; turning?: boolean }) {
  const classes = ['icon', turning && 'turning', POINTING.includes(name) && 'pointing'];
  return (
    <svg className={classes.filter(Boolean).join(' ')} viewBox="0 0 24 24" aria-hidden="true">
      <path d={shapes[name]} />
    </svg>
  );
}

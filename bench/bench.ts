/** `npm run bench -- <name> [options]`: runs the file of that name, whose head lists its options. */
import { argv } from 'node:process'

const BENCHES: Readonly<Record<string, string>> = {
  run: 'beside nginx, Caddy, rclone and HFS; also without a name',
  guard: 'this checkout beside main, in a minute',
  library: "the dashboard's library with a million rows",
  start: 'the start with a million rows, memory idle and after a million requests',
  backup: 'backup and restore of 5 GB, peak memory',
  pictures: 'preview and WebP of a large JPEG, beside sharp alone',
  calm: 'how long a GET waits while uploads, pictures, a backup and a rename run',
  resumable: 'a long file by tus, beside the same by /api/upload',
  dashboard: 'the first view of the dashboard with 100 000 files',
  'gallery-room': 'how much of the window is picture on the files page',
  many: 'on PostgreSQL and an object store, beside the embedded service',
}

// What is left of the arguments is read by the bench.
const [name = ''] = /^\w|^--help$/.test(argv[2] ?? '') ? argv.splice(2, 1) : ['run']
if (Object.hasOwn(BENCHES, name)) await import(`./${name}.ts`)
else {
  const lines = Object.entries(BENCHES).map(([each, what]) => `  ${each.padEnd(12)} ${what}`)
  console.error(
    `npm run bench -- <name> [options], explained in bench/README.md. Names:\n${lines.join('\n')}`,
  )
  process.exitCode = name === '--help' ? 0 : 1
}

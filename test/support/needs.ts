/** The programs that the tests use beyond those from npm, and the Debian packages that contain them. */
import { findChromium } from '../browser/chromium.ts'
import { findCeph } from './ceph.ts'
import { findLemonldap, LEMONLDAP_PACKAGES } from './lemonldap.ts'
import { findLua, findLuaSocket } from './lua.ts'
import { findMkfs } from './mounts.ts'
import { findNginx } from './nginx.ts'
import { findPostgres } from './postgres.ts'
import { findProxy, PROXIES } from './proxies.ts'
import { findSwift } from './swift.ts'
import { findTool, type Tool } from './tools.ts'
import { findTuspy } from './tuspy.ts'
import { findWine } from './wine.ts'

export interface Need {
  tool: Tool
  /** Debian packages, if their names differ from the tool's. */
  packages?: readonly string[]
  /** The tests that need it: “12 tests of video previews”. */
  use: string
  isThere(): boolean
}

const need = (tool: Tool, use: string, find?: () => string | null, packages?: readonly string[]): Need => ({
  tool,
  use,
  ...(packages && { packages }),
  isThere: () => findTool(tool, find) !== null,
})

const USUAL: readonly Need[] = [
  need('age', 'of encrypted backups'),
  need('chromium', 'in a real browser', findChromium, ['chromium-headless-shell']),
  need('curl', 'of the scripts in the API guide'),
  need('e2fsprogs', 'of power cuts', findMkfs),
  need('ffmpeg', 'of video previews'),
  need('lua5.4', 'of the Lua export', findLua),
  need('lua-socket', 'of the Lua client', findLuaSocket),
  need('oathtool', 'of one-time codes'),
  need('postgresql', 'on PostgreSQL', findPostgres),
  need('php-cli', 'of the PHP example', () => Bun.which('php')),
  need('python3', 'of the client and the example for Python'),
  need('unzip', 'of archives to download'),
  need('nginx-light', 'behind a proxy', findNginx),
  need('wget', 'of Last-Modified'),
]

const STORE = need('radosgw', 'on an S3-compatible store', findCeph, ['ceph-mon', 'ceph-osd', 'radosgw'])

const SWIFT = need('swift-proxy', 'on a store without conditional requests', findSwift, [
  'swift-account',
  'swift-container',
  'swift-object',
  'swift-proxy',
])

const WINE = need('wine64', 'for Windows', findWine, ['wine', 'wine64'])

const LONG: readonly Need[] = [
  ...(['Caddy', 'Apache', 'HAProxy'] as const).map(name =>
    need(PROXIES[name].package, `behind ${name}`, () => findProxy(name)),
  ),
  need('libavif-bin', 'of pictures read back by avifdec', () => Bun.which('avifdec')),
  need('imagemagick', 'of pictures read back by ImageMagick', () => Bun.which('identify')),
  need('webp', 'of pictures read back by dwebp', () => Bun.which('dwebp')),
  need('debootstrap', 'on a bare Debian'),
  need(
    'liblemonldap-ng-portal-perl',
    'of a second OpenID Connect provider',
    findLemonldap,
    LEMONLDAP_PACKAGES,
  ),
  need('nodejs', 'of requests beside other servers', () => Bun.which('node')),
  need('iproute2', 'of workers that are replaced', () => Bun.which('ip')),
  need('systemd', 'of the systemd unit', () => Bun.which('systemd-analyze')),
  need('python3-tuspy', 'of resumable uploads with tuspy', findTuspy),
  need('strace', 'of what is flushed before an upload is answered'),
  STORE,
  WINE,
]

export const ALL_NEEDS: readonly Need[] = [...USUAL, ...LONG, SWIFT]

/**
 * `FUNDUS_TEST_INSIST=1`, as in `.ci/run`: a missing program is a failure. The tests of several machines and
 * those for Windows always insist.
 */
export const isInsisting = (args: readonly string[]) =>
  process.env.FUNDUS_TEST_INSIST === '1' || args.includes('--many') || args.includes('--windows')

/**
 * What is installed before a run with these arguments. `npm test` uses an object store only if it is
 * installed.
 */
export function needsOfRun(args: readonly string[]): readonly Need[] {
  if (args.includes('--long')) return [...USUAL, ...LONG]
  if (args.includes('--windows')) return [...USUAL, WINE]
  if (args.includes('--many')) return [...USUAL, STORE, SWIFT]
  return isInsisting(args) ? [...USUAL, STORE] : USUAL
}

export const packagesOf = (needs: readonly Need[]) =>
  needs.flatMap(({ tool, packages }) => packages ?? [tool]).join(' ')

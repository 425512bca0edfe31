/**
 * LemonLDAP::NG, a finished OpenID Connect provider of its own code base, from Debian: on a loopback port,
 * with its configuration and sessions in a temporary folder. Its demonstration accounts are `rtyler`,
 * `msmith` and `dwho`, whose passwords are their names.
 */
import { generateKeyPairSync } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openFolder } from './folder.ts'
import { freePort } from './ports.ts'
import { keepSecret } from './secrets.ts'
import { LOCALE, startTool } from './tools.ts'
import { eventually } from './wait.ts'

const PORTAL = '/usr/share/lemonldap-ng/portal'

/** Debian only recommends the modules that its OpenID Connect part needs. */
export const LEMONLDAP_PACKAGES = [
  'liblemonldap-ng-portal-perl',
  'libcrypt-openssl-bignum-perl',
  'libgd-securityimage-perl',
  'libimage-magick-perl',
  'libio-string-perl',
  'libmime-tools-perl',
  'libstring-random-perl',
  'libunicode-string-perl',
  'starman',
]

export const findLemonldap = () => (existsSync(PORTAL) ? Bun.which('starman') : null)

export interface LemonldapClient {
  id: string
  secret: string
  redirectUri: string
}

export interface Lemonldap extends AsyncDisposable {
  issuer: string
}

/** `groups`: the members of each group. */
export const startLemonldap = (client: LemonldapClient, groups: Record<string, readonly string[]>) =>
  startTool('liblemonldap-ng-portal-perl', findLemonldap, program => startPortal(program, client, groups))

async function startPortal(
  program: string,
  client: LemonldapClient,
  groups: Record<string, readonly string[]>,
): Promise<Lemonldap> {
  const { path: folder, ...opened } = await openFolder()
  const port = freePort()
  const issuer = `http://127.0.0.1:${port}`
  for (const store of ['configuration', 'cache', 'sessions', 'sessions/lock', 'people', 'people/lock'])
    await mkdir(join(folder, store))
  await Bun.write(
    join(folder, 'configuration/lmConf-1.json'),
    JSON.stringify(configuration({ folder, issuer, client, groups })),
  )
  await Bun.write(join(folder, 'lemonldap-ng.ini'), INI(folder))
  await Bun.write(join(folder, 'portal.psgi'), PSGI)
  const output = join(folder, 'output')
  const child = Bun.spawn(
    [
      // The kernel ends the portal when this process ends, even by SIGKILL.
      ...['setpriv', '--pdeathsig', 'TERM', program, '--listen', `127.0.0.1:${port}`],
      ...['--workers', '3', '--preload-app', join(folder, 'portal.psgi')],
    ],
    {
      stdio: ['ignore', Bun.file(output), Bun.file(output)],
      env: { ...process.env, ...LOCALE, LLNG_DEFAULTCONFFILE: join(folder, 'lemonldap-ng.ini') },
    },
  )
  // SIGKILL would leave its workers behind.
  const stop = async () => {
    child.kill('SIGTERM')
    await child.exited
    await opened[Symbol.asyncDispose]()
  }
  try {
    await eventually('LemonLDAP::NG answers', async () => {
      const status = await statusOf(`${issuer}/.well-known/openid-configuration`)
      if (child.exitCode !== null || status === 500)
        throw new Error((await readFile(output, 'utf8')).slice(-1500))
      return status === 200
    })
  } catch (error) {
    await stop()
    throw error
  }
  return { issuer, [Symbol.asyncDispose]: stop }
}

const statusOf = (address: string) =>
  fetch(address).then(
    async answer => {
      await answer.body?.cancel()
      return answer.status
    },
    () => null,
  )

interface Parts {
  folder: string
  issuer: string
  client: LemonldapClient
  groups: Record<string, readonly string[]>
}

/** What differs from the product's defaults, by its own names. */
function configuration({ folder, issuer, client, groups }: Parts) {
  const keys = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  })
  const store = (name: string) => ({
    Directory: join(folder, name),
    LockDirectory: join(folder, name, 'lock'),
    generateModule: 'Lemonldap::NG::Common::Apache::Session::Generate::SHA256',
  })
  const isOneOf = (names: readonly string[]) => names.map(name => `$uid eq "${name}"`).join(' or ')
  return {
    cfgNum: 1,
    cfgAuthor: 'test',
    cfgDate: 1,
    authentication: 'Demo',
    userDB: 'Same',
    demoExportedVars: { cn: 'cn', mail: 'mail', uid: 'uid' },
    groups: Object.fromEntries(Object.entries(groups).map(([name, members]) => [name, isOneOf(members)])),
    portal: `${issuer}/`,
    domain: '127.0.0.1',
    locationRules: {},
    exportedHeaders: {},
    securedCookie: 0,
    key: keepSecret("the portal's key", crypto.randomUUID()),
    globalStorage: 'Apache::Session::File',
    globalStorageOptions: store('sessions'),
    persistentStorage: 'Apache::Session::File',
    persistentStorageOptions: store('people'),
    issuerDBOpenIDConnectActivation: 1,
    oidcServiceMetaDataIssuer: issuer,
    oidcServicePrivateKeySig: keys.privateKey,
    oidcServicePublicKeySig: keys.publicKey,
    oidcServiceKeyIdSig: 'first',
    oidcRPMetaDataOptions: {
      fundus: {
        oidcRPMetaDataOptionsClientID: client.id,
        oidcRPMetaDataOptionsClientSecret: client.secret,
        oidcRPMetaDataOptionsRedirectUris: client.redirectUri,
        oidcRPMetaDataOptionsIDTokenSignAlg: 'RS256',
        oidcRPMetaDataOptionsRequirePKCE: 1,
      },
    },
    oidcRPMetaDataExportedVars: { fundus: { preferred_username: 'uid', email: 'mail', groups: 'groups' } },
    // It has no scope `groups`. What is listed here replaces the usual claims of the scope.
    oidcRPMetaDataOptionsExtraClaims: { fundus: { profile: 'preferred_username groups' } },
  }
}

const INI = (folder: string) => `[all]
logLevel = warn
[configuration]
type = File
dirName = ${folder}/configuration
localStorage = Cache::FileCache
localStorageOptions = { 'namespace' => 'configuration', 'cache_root' => '${folder}/cache', 'cache_depth' => 3 }
[portal]
staticPrefix = /static
templateDir = ${PORTAL}/templates
languages = en, de
`

/** The portal, and the files that a web server serves beside it (as in Debian's portal-nginx.conf). */
const PSGI = `use Plack::Builder;
use Plack::App::File;
use Lemonldap::NG::Portal;
builder {
  mount '/static' => Plack::App::File->new(root => '${PORTAL}/htdocs/static')->to_app;
  mount '/javascript' => Plack::App::File->new(root => '/usr/share/javascript')->to_app;
  mount '/' => Lemonldap::NG::Portal->run({});
}
`

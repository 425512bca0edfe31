/** The checks of `fundus doctor` for the machine: runtime, ffmpeg, built pages of the dashboard. */
import { existsSync } from 'node:fs'
import manifest from '../../../../package.json'
import { IS_FROM_RELEASE_ARCHIVE } from '../../../base/version.ts'
import { DASHBOARD_DIST_FOLDER } from '../build-dashboard.ts'
import { type Finding, hintFinding, okFinding, wrongFinding } from './doctor-finding.ts'

export const examineMachine = async (): Promise<Finding[]> => [
  runtimeFinding(),
  pagesFinding(),
  ffmpegFinding(),
]

function runtimeFinding(): Finding {
  const checkName = ['Laufzeit', 'Runtime'] as const
  const wantedVersion = manifest.dependencies.bun
  if (Bun.version !== wantedVersion)
    return {
      check: checkName,
      state: 'wrong',
      sentence: IS_FROM_RELEASE_ARCHIVE
        ? [
            `Bun ${Bun.version} läuft, geprüft ist Fundus mit ${wantedVersion}; der Befehl „fundus“ in seinem Ordner nimmt diese Version.`,
            `Bun ${Bun.version} is running, Fundus is tested with ${wantedVersion}; the command “fundus” in its folder takes that version.`,
          ]
        : [
            `Bun ${Bun.version} läuft, geprüft ist Fundus mit ${wantedVersion}; „npm ci“ bringt diese Version.`,
            `Bun ${Bun.version} is running, Fundus is tested with ${wantedVersion}; “npm ci” brings that version.`,
          ],
    }
  const node = IS_FROM_RELEASE_ARCHIVE ? null : nodeVersion()
  if (node !== null && !Bun.semver.satisfies(node, manifest.engines.node))
    return hintFinding(
      checkName,
      `Node ${node} ist älter als nötig (${manifest.engines.node}): „npm ci“ kann daran scheitern; bitte Node erneuern.`,
      `Node ${node} is older than needed (${manifest.engines.node}): “npm ci” may fail with it; please update Node.`,
    )
  const versionsText = node === null ? `Bun ${Bun.version}` : `Bun ${Bun.version}, Node ${node}`
  return okFinding(checkName, `${versionsText}.`, `${versionsText}.`)
}

/** The version of Node; null if there is none, which is no problem: only `npm` needs it. */
function nodeVersion(): string | null {
  const nodePath = Bun.which('node')
  if (nodePath === null) return null
  const { stdout } = Bun.spawnSync([nodePath, '--version'])
  return /^v(\d+\.\d+\.\d+)/.exec(stdout.toString())?.[1] ?? null
}

function pagesFinding(): Finding {
  const checkName = ['Verwaltung', 'Dashboard'] as const
  if (existsSync(DASHBOARD_DIST_FOLDER))
    return okFinding(checkName, 'Ihre Seiten sind gebaut.', 'Its pages are built.')
  return IS_FROM_RELEASE_ARCHIVE
    ? wrongFinding(
        checkName,
        'Ihre Seiten fehlen in diesem Ordner: bitte das Archiv noch einmal ganz entpacken.',
        'Its pages are missing in this folder: please unpack the whole archive again.',
      )
    : hintFinding(
        checkName,
        'Ihre Seiten sind noch nicht gebaut; der nächste Start baut sie, „npm run build“ auch.',
        'Its pages are not built yet; the next start builds them, and so does “npm run build”.',
      )
}

const FFMPEG_HINT =
  process.platform === 'win32'
    ? ([
        'Unter Windows: ffmpeg.exe in einen Ordner des PATH legen.',
        'On Windows: put ffmpeg.exe into a folder of the PATH.',
      ] as const)
    : (['Unter Debian: apt-get install ffmpeg.', 'On Debian: apt-get install ffmpeg.'] as const)

function ffmpegFinding(): Finding {
  const checkName = ['ffmpeg', 'ffmpeg'] as const
  return Bun.which('ffmpeg') === null
    ? hintFinding(
        checkName,
        `Es ist nicht installiert: Videos bekommen keine Vorschau. ${FFMPEG_HINT[0]}`,
        `It is not installed: videos get no preview. ${FFMPEG_HINT[1]}`,
      )
    : okFinding(checkName, 'Es ist da: Videos bekommen eine Vorschau.', 'It is there: videos get a preview.')
}

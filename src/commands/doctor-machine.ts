/** What `fundus doctor` looks at on any machine: runtime, ffmpeg, built pages. */
import { existsSync } from 'node:fs'
import manifest from '../../package.json'
import { DIST } from './build-dashboard.ts'
import type { Finding } from './doctor-finding.ts'

export const examineMachine = async (): Promise<Finding[]> => [runtime(), pages(), ffmpeg()]

function runtime(): Finding {
  const check = ['Laufzeit', 'Runtime'] as const
  const wanted = manifest.dependencies.bun
  if (Bun.version !== wanted)
    return {
      check,
      state: 'wrong',
      sentence: [
        `Bun ${Bun.version} läuft, geprüft ist Fundus mit ${wanted}; „npm ci“ bringt diese Version.`,
        `Bun ${Bun.version} is running, Fundus is tested with ${wanted}; “npm ci” brings that version.`,
      ],
    }
  const node = nodeVersion()
  if (node !== null && !Bun.semver.satisfies(node, manifest.engines.node))
    return {
      check,
      state: 'hint',
      sentence: [
        `Node ${node} ist älter als nötig (${manifest.engines.node}): „npm ci“ kann daran scheitern; bitte Node erneuern.`,
        `Node ${node} is older than needed (${manifest.engines.node}): “npm ci” may fail with it; please update Node.`,
      ],
    }
  const versions = node === null ? `Bun ${Bun.version}` : `Bun ${Bun.version}, Node ${node}`
  return { check, state: 'ok', sentence: [`${versions}.`, `${versions}.`] }
}

/** Null where there is none: only `npm` needs it, and a release archive comes without it. */
function nodeVersion(): string | null {
  const program = Bun.which('node')
  if (program === null) return null
  const { stdout } = Bun.spawnSync([program, '--version'])
  return /^v(\d+\.\d+\.\d+)/.exec(stdout.toString())?.[1] ?? null
}

function pages(): Finding {
  const check = ['Verwaltung', 'Dashboard'] as const
  return existsSync(DIST)
    ? { check, state: 'ok', sentence: ['Ihre Seiten sind gebaut.', 'Its pages are built.'] }
    : {
        check,
        state: 'hint',
        sentence: [
          'Ihre Seiten sind noch nicht gebaut; der nächste Start baut sie, „npm run build“ auch.',
          'Its pages are not built yet; the next start builds them, and so does “npm run build”.',
        ],
      }
}

function ffmpeg(): Finding {
  const check = ['ffmpeg', 'ffmpeg'] as const
  return Bun.which('ffmpeg') === null
    ? {
        check,
        state: 'hint',
        sentence: [
          'Es ist nicht installiert: Videos bekommen keine Vorschau. Unter Debian: apt-get install ffmpeg.',
          'It is not installed: videos get no preview. On Debian: apt-get install ffmpeg.',
        ],
      }
    : {
        check,
        state: 'ok',
        sentence: ['Es ist da: Videos bekommen eine Vorschau.', 'It is there: videos get a preview.'],
      }
}

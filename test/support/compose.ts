/** Reads the compose files and the Containerfile of deploy/, so that tests can start what they describe. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import type { Environment } from './host-client.ts'

export const ROOT = join(import.meta.dir, '../..')
export const deployed = (file: string) => readFileSync(join(ROOT, 'deploy', file), 'utf8')

export interface ComposeService {
  image: string
  command?: string[]
  environment?: Environment
  /** `<volume or file>:<path in the container>`. */
  volumes?: string[]
  build?: { context: string; dockerfile: string }
}

export interface Compose {
  services: Record<string, ComposeService>
  volumes: Record<string, unknown>
}

/** `given` fills in the values that `example`, the file that an operator copies, leaves empty. */
export function readCompose(file: string, example = '', given: Environment = {}): Compose {
  const known = example === '' ? {} : parseEnv(deployed(example))
  const text = deployed(file).replace(/\$\{(\w+):\?\}/g, (_, name: string) => {
    if (!(name in known)) throw new Error(`${file} wants ${name}, which ${example} does not name`)
    const value = given[name] || known[name]
    if (!value) throw new Error(`the test gives no value for ${name}`)
    return value
  })
  return Bun.YAML.parse(text) as Compose
}

export interface ContainerFile {
  /** What is copied from the project, and what is removed again before the image is finished. */
  sources: string[]
  removed: string[]
  /** The names in the image's folder. */
  contents: string[]
  env: Environment
  command: string[]
  healthcheck: string[]
}

export function readContainerfile(): ContainerFile {
  const text = deployed('Containerfile').replaceAll(/\\\n\s*/g, '')
  const lines = (start: string) =>
    text.split('\n').flatMap(line => (line.startsWith(start) ? [line.slice(start.length).trim()] : []))
  const copies = lines('COPY ').map(line => line.split(' '))
  const list = (line = '') => JSON.parse(line.slice(line.indexOf('['))) as string[]
  return {
    sources: copies.filter(words => !words[0]!.startsWith('--')).flatMap(words => words.slice(0, -1)),
    contents: copies
      .filter(words => words[0] === '--from=build')
      .map(words => words[1]!.replace('/fundus/', '')),
    removed: (/&& rm -rf (dashboard.*)/.exec(text)?.[1] ?? '').split(' '),
    env: Object.fromEntries(lines('ENV ').flatMap(line => line.split(' ').map(pair => pair.split('=')))),
    command: list(lines('CMD ')[0]),
    healthcheck: list(lines('HEALTHCHECK ')[0]),
  }
}

/** A process that a file of deploy/ describes; disposing of it kills it if necessary. */
export function startDeployed(command: string[], options: { cwd: string; env: Environment }) {
  const child = Bun.spawn(command, { ...options, stdin: 'ignore', stdout: 'pipe', stderr: 'inherit' })
  let output = ''
  void (async () => {
    const decoder = new TextDecoder()
    for await (const part of child.stdout) output += decoder.decode(part, { stream: true })
  })()
  return {
    async kill9() {
      child.kill('SIGKILL')
      await child.exited
    },
    /** Throws if the process has ended by itself. */
    check() {
      if (child.exitCode !== null) throw new Error(`${command.join(' ')} ended: ${output.slice(-3000)}`)
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await child.exited
    },
  }
}

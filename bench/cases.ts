import { join } from 'node:path'
import {
  type Asking,
  asFile,
  byUpload,
  type FileSet,
  fileSet,
  mustBeEqual,
  place,
  writeTargets,
} from './files.ts'
import type { Line } from './line.ts'
import type { Server } from './server.ts'
import { runUpload } from './upload.ts'
import { type Run, runWrk } from './wrk.ts'

/** By the name of the other server. */
export type Bars = Readonly<Record<string, number>>

export interface Case {
  name: string
  /** Least ratio of Fundus to each of these; without one the case is for information. */
  bars: Bars
  /** Takes part only who takes uploads. */
  upload?: boolean
  /** Seconds of load before the first round that counts, one unless given. */
  warmUp?: number
  run(server: Server, seconds: number): Promise<Run>
}

export const KB = 1024
export const MB = 1024 * 1024
/** A 304 is a head alone; anything longer has sent the file. */
export const HEAD_ONLY = [50, 900] as const
/** A head is shorter than this; it comes on top of the body. */
export const HEAD = 1500

export interface CaseOptions {
  line: Line
  /** Fundus first. */
  servers: readonly Server[]
  /** What the others serve. */
  root: string
  folder: string
  quick: boolean
  /** Cases by other names are left out. */
  only: RegExp
}

interface Get {
  name: string
  files: FileSet
  bars?: Bars
  asking?: Asking
}

/** Puts the files in place everywhere and answers the cases to run over them. */
export async function prepareCases(options: CaseOptions): Promise<Case[]> {
  const small = fileSet('10k', 10 * KB, 200)
  const large = fileSet('1m', MB, 200)
  const film = fileSet('32m', 32 * MB, 1)
  // 200 MB in small files: more than a cache in memory would reasonably hold.
  const many = fileSet('many', 10 * KB, options.quick ? 2_000 : 20_000)
  const gets: Get[] = [
    { name: 'GET 10 KB, one file', files: firstOf(small), bars: { nginx: 0.8, hfs: 20 } },
    { name: 'GET 10 KB, 200 files', files: small, bars: { nginx: 0.7, hfs: 20 } },
    { name: `GET 10 KB, ${many.paths.length} files`, files: many },
    { name: 'GET 100 KB, 200 files', files: fileSet('100k', 100 * KB, 200), bars: { nginx: 0.85 } },
    { name: 'GET 1 MB, 200 files', files: large, bars: { nginx: 0.9 } },
    { name: 'GET 32 MB, one file', files: film, bars: { nginx: 1 } },
    { name: 'ranges of 1 MB, one file', files: film, asking: { range: MB }, bars: { nginx: 0.9 } },
    { name: '304, 10 KB, 200 files', files: small, asking: 'confirmed', bars: { nginx: 0.8 } },
  ]
  const wanted = gets.filter(each => options.only.test(each.name))
  const placed = new Set<string>()
  for (const { files } of wanted) {
    if (files.paths.every(path => placed.has(path))) continue
    await place(files, [byUpload(options.servers[0]!), asFile(options.root)])
    for (const path of files.paths) placed.add(path)
  }
  for (const { files } of wanted) await mustBeEqual(files, options.servers)
  const uploads = [
    upload('10 KB', 10 * KB, 32, 1_000_000, { nginx: 0.5, hfs: 2 }),
    upload('32 MB', 32 * MB, 4, 2, { nginx: 0.75 }),
  ]
  return [
    ...(await Promise.all(wanted.map(each => getCase(each, options)))),
    ...uploads.filter(each => options.only.test(each.name)),
  ]
}

const firstOf = ({ size, paths }: FileSet): FileSet => ({ size, paths: paths.slice(0, 1) })

async function getCase(get: Get, { line, servers, folder }: CaseOptions): Promise<Case> {
  const { name, files, bars = {}, asking = 'whole' } = get
  const targets = new Map<Server, string>()
  for (const server of servers) {
    const file = join(folder, `${server.name}-${name.replace(/\W+/g, '-')}.txt`)
    targets.set(server, await writeTargets(file, files, server, asking))
  }
  const size = typeof asking === 'object' ? asking.range : files.size
  const bytes = asking === 'confirmed' ? HEAD_ONLY : ([size, size + HEAD] as const)
  return {
    name,
    bars,
    run: (server, seconds) => runWrk(line, server.port, targets.get(server)!, seconds, { bytes }),
  }
}

function upload(what: string, size: number, parallel: number, paths: number, bars: Bars): Case {
  let runs = 0
  return {
    name: `upload ${what}, ${parallel} parallel`,
    bars,
    upload: true,
    // A runtime compiles a way only after thousands of requests: HFS doubles its rate meanwhile. Large bodies
    // are no matter of compiling, and what others have not flushed would be written in everybody's rounds.
    ...(size < MB && { warmUp: 6 }),
    run: async (server, seconds) => {
      // New paths in every run; within one they begin again only where the disk would fill up otherwise.
      const name = `load-${size}-${runs++}`
      const folders = Array.from({ length: parallel }, (_, client) => `${name}/${client}`)
      for (const folder of [name, ...folders]) await server.makeFolder?.(folder)
      return runUpload(server, { name, size, parallel, seconds, uploads: 1_000_000, paths })
    },
  }
}

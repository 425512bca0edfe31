import { join } from 'node:path'
import { asFile, byUpload, type FileSet, fileSet, mustBeEqual, place, writeTargets } from './files.ts'
import type { Line } from './line.ts'
import type { Server } from './server.ts'
import { runUpload } from './upload.ts'
import { type Run, runWrk } from './wrk.ts'

export interface Case {
  name: string
  /** Least ratio Fundus/nginx; without one the case is for information. */
  bar?: number
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
  fundus: Server
  nginx: Server
  nginxRoot: string
  folder: string
  quick: boolean
  /** Cases by other names are left out. */
  only: RegExp
}

interface Get {
  name: string
  files: FileSet
  bar?: number
  /** Asks with the ETag, to be answered 304. */
  conditional?: boolean
}

/** Puts the files in place on both and answers the cases to run over them. */
export async function prepareCases(options: CaseOptions): Promise<Case[]> {
  const small = fileSet('10k', 10 * KB, 200)
  const large = fileSet('1m', MB, 200)
  // 200 MB in small files: more than a cache in memory would reasonably hold.
  const many = fileSet('many', 10 * KB, options.quick ? 2_000 : 20_000)
  const gets: Get[] = [
    { name: 'GET 10 KB, 200 files', files: small, bar: 0.5 },
    { name: 'GET 10 KB, one file', files: firstOf(small) },
    { name: `GET 10 KB, ${many.paths.length} files`, files: many },
    { name: 'GET 100 KB, 200 files', files: fileSet('100k', 100 * KB, 200) },
    { name: 'GET 1 MB, 200 files', files: large, bar: 0.9 },
    { name: 'GET 1 MB, one file', files: firstOf(large) },
    { name: '304, 10 KB, 200 files', files: small, conditional: true },
  ]
  const wanted = gets.filter(each => options.only.test(each.name))
  const placed = new Set<string>()
  for (const { files } of wanted) {
    if (files.paths.every(path => placed.has(path))) continue
    await place(files, [byUpload(options.fundus), asFile(options.nginxRoot)])
    await mustBeEqual(files, [options.fundus, options.nginx])
    for (const path of files.paths) placed.add(path)
  }
  const uploads = [upload('10 KB', 10 * KB, 8, 1_000_000), upload('10 MB', 10 * MB, 4, 4)]
  return [
    ...(await Promise.all(wanted.map(each => getCase(each, options)))),
    ...uploads.filter(each => options.only.test(each.name)),
  ]
}

const firstOf = ({ size, paths }: FileSet): FileSet => ({ size, paths: paths.slice(0, 1) })

async function getCase(get: Get, { line, fundus, nginx, folder }: CaseOptions): Promise<Case> {
  const { name, files, bar, conditional = false } = get
  const targets = new Map<Server, string>()
  for (const server of [fundus, nginx]) {
    const file = join(folder, `${server.name}-${name.replace(/\W+/g, '-')}.txt`)
    targets.set(server, await writeTargets(file, files.paths, server, conditional))
  }
  const bytes = conditional ? HEAD_ONLY : ([files.size, files.size + HEAD] as const)
  return {
    name,
    ...(bar !== undefined && { bar }),
    run: (server, seconds) => runWrk(line, server.port, targets.get(server)!, seconds, { bytes }),
  }
}

function upload(what: string, size: number, parallel: number, paths: number): Case {
  let runs = 0
  return {
    name: `upload ${what}, ${parallel} parallel`,
    run: (server, seconds) => {
      // New paths in every run; within one they begin again only where the disk would fill up otherwise.
      const name = `load/${size}/${runs++}`
      return runUpload(server, { name, size, parallel, seconds, uploads: 1_000_000, paths })
    },
  }
}

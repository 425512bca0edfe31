/** Has ffmpeg extract one frame of a video, and writes it as the preview. */
import { readFile } from 'node:fs/promises'
import { MEGABYTE } from '../../contract/values/units.ts'
import type { DecoderLimits } from '../options.ts'
import { isSystemError, writePicture } from './write.ts'

const POSTER_EDGE = 480
const POSTER_QUALITY = 75
/** Larger than any uncompressed picture of POSTER_EDGE by POSTER_EDGE pixels. */
const POSTER_MAX_BYTES = 2 * MEGABYTE
/**
 * The frame is taken at a tenth of the length, as many films begin in black. Not far into long films: without
 * an index ffmpeg must read everything before it.
 */
const EARLIEST_SECONDS = 1
const LATEST_SECONDS = 10
const WATCH_MS = 50

/** Self-contained formats. A playlist or concat list would make ffmpeg read any local file that it names. */
const CONTAINERS = 'mov,matroska,webm,avi,mpegts,mpeg,ogg,flv,asf'
/** Scales the frame into the box in one step, never up, to square pixels. ffmpeg applies rotation itself. */
const WIDE = 'iw*if(sar,sar,1)'
const FACTOR = `min(1,${POSTER_EDGE}/max(${WIDE},ih))`
const FILTERS = `scale=w='max(1,round(${WIDE}*${FACTOR}))':h='max(1,round(ih*${FACTOR}))',setsar=1`

/** True if a poster was written. A missing or failing ffmpeg is not an error. */
export async function writePoster(
  source: string,
  target: string,
  duration: number | undefined,
  limits: DecoderLimits,
): Promise<boolean> {
  const ffmpeg = Bun.which('ffmpeg', { PATH: process.env.PATH ?? '' })
  if (!ffmpeg) return false
  const until = performance.now() + limits.posterDeadlineMs
  const at = momentOf(duration)
  const frame =
    (await grab(ffmpeg, source, at, until, limits)) ??
    (at > 0 ? await grab(ffmpeg, source, 0, until, limits) : null)
  if (!frame) return false
  // Some ffmpeg builds have no WebP encoder, so sharp writes the WebP.
  const { sharp } = await import('./library.ts')
  try {
    await writePicture(sharp(frame).webp({ quality: POSTER_QUALITY }), target)
    return true
  } catch (error) {
    if (isSystemError(error)) throw error
    return false
  }
}

async function grab(
  ffmpeg: string,
  source: string,
  at: number,
  until: number,
  { memoryBytes }: DecoderLimits,
): Promise<Buffer | null> {
  const left = until - performance.now()
  if (left <= 0) return null
  // Not detached: a kill of the decoder's process group also reaches ffmpeg. The picture comes through a
  // pipe, so no partial file is left.
  const child = Bun.spawn({
    cmd: [ffmpeg, ...commandLine(source, at, Math.ceil(left / 1000))],
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'ignore',
    windowsHide: true,
    timeout: Math.ceil(left),
    killSignal: 'SIGKILL',
    maxBuffer: POSTER_MAX_BYTES,
  })
  const guard = setInterval(async () => {
    if ((await residentBytes(child.pid)) > memoryBytes) child.kill('SIGKILL')
  }, WATCH_MS)
  try {
    const frame = Buffer.from(await new Response(child.stdout).arrayBuffer())
    return (await child.exited) === 0 && frame.length > 0 ? frame : null
  } finally {
    clearInterval(guard)
  }
}

function commandLine(source: string, at: number, seconds: number): string[] {
  const quiet = ['-nostdin', '-hide_banner', '-v', 'quiet']
  // Processor seconds, enforced by the kernel: ffmpeg ends even if all our other processes are killed.
  const bounded = ['-timelimit', String(seconds), '-threads', '1', '-filter_threads', '1']
  const walled = ['-protocol_whitelist', 'file', '-format_whitelist', CONTAINERS]
  const input = ['-an', '-sn', '-dn', '-ss', String(at), '-i', `file:${source}`]
  // `V`, not `v`: excludes cover art.
  const output = ['-map', '0:V:0', '-frames:v', '1', '-vf', FILTERS, '-threads', '1']
  return [...quiet, ...bounded, ...walled, ...input, ...output, '-f', 'image2pipe', '-c:v', 'png', 'pipe:1']
}

/** Resident memory of a process; 0 except on Linux. */
async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024
}

function momentOf(duration = 0): number {
  if (duration < 2 * EARLIEST_SECONDS) return 0
  return Math.min(LATEST_SECONDS, Math.max(EARLIEST_SECONDS, duration / 10))
}

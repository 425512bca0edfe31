/** Has ffmpeg take one frame of a video, and writes it as the preview. */
import { readFile } from 'node:fs/promises'
import { MEGABYTE } from '../../contract/values/units.ts'
import type { DecoderLimits } from '../options.ts'
import { isSystemError, writePicture } from './write.ts'

const POSTER_EDGE = 480
const POSTER_QUALITY = 75
/** An uncompressed picture of at most POSTER_EDGE on each side is smaller than this. */
const POSTER_MAX_BYTES = 2 * MEGABYTE
/**
 * Bounds of the frame's time, which is a tenth of the length: many films begin in black. The time is not far
 * into long films, because without an index ffmpeg has to read everything before it.
 */
const EARLIEST_SECONDS = 1
const LATEST_SECONDS = 10
const WATCH_MS = 50

/**
 * Containers that contain their streams. Playlists and concatenation lists are not allowed: they would make
 * ffmpeg read any file of this machine that the uploader names.
 */
const CONTAINERS = 'mov,matroska,webm,avi,mpegts,mpeg,ogg,flv,asf'
/**
 * Scales the frame into the box in one step, never enlarging, in square pixels. ffmpeg itself applies
 * rotation.
 */
const WIDE = 'iw*if(sar,sar,1)'
const FACTOR = `min(1,${POSTER_EDGE}/max(${WIDE},ih))`
const FILTERS = `scale=w='max(1,round(${WIDE}*${FACTOR}))':h='max(1,round(ih*${FACTOR}))',setsar=1`

/**
 * True when a poster was written. Without ffmpeg, or when ffmpeg fails, there is no poster; that is not an
 * error.
 */
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
  // Some builds of ffmpeg have no WebP encoder, so sharp writes the WebP here too.
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
  // Not detached: ffmpeg shares the decoder's process group, so a kill of the group leaves no ffmpeg behind.
  // The picture comes through a pipe, so no half-written file is left either.
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
  // A limit of processor seconds, enforced by the kernel: even if all other processes are killed, ffmpeg ends
  // by itself.
  const bounded = ['-timelimit', String(seconds), '-threads', '1', '-filter_threads', '1']
  const walled = ['-protocol_whitelist', 'file', '-format_whitelist', CONTAINERS]
  const input = ['-an', '-sn', '-dn', '-ss', String(at), '-i', `file:${source}`]
  // `V`, not `v`: excludes cover art.
  const output = ['-map', '0:V:0', '-frames:v', '1', '-vf', FILTERS, '-threads', '1']
  return [...quiet, ...bounded, ...walled, ...input, ...output, '-f', 'image2pipe', '-c:v', 'png', 'pipe:1']
}

/** The resident memory of a process; 0 on systems other than Linux, which do not report it here. */
async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024
}

function momentOf(duration = 0): number {
  if (duration < 2 * EARLIEST_SECONDS) return 0
  return Math.min(LATEST_SECONDS, Math.max(EARLIEST_SECONDS, duration / 10))
}

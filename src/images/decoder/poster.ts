/** Lets ffmpeg extract one frame of a video, and writes the frame in the wanted sizes. */
import { readFile } from 'node:fs/promises'
import type { DecoderLimits } from '../options.ts'
import type { ScaledPicture } from '../protocol.ts'
import { isSystemError, writeScaled } from './write.ts'

/** Bytes per pixel, more than the uncompressed picture takes. */
const PIXEL_BYTES = 9
/**
 * The frame is taken at a tenth of the duration, because many films begin in black, but within these bounds:
 * without an index ffmpeg must read everything before the frame.
 */
const EARLIEST_SECONDS = 1
const LATEST_SECONDS = 10
const WATCH_MS = 50

/**
 * Allowed formats, which are self-contained. A playlist or concat list would make ffmpeg read any local file
 * that it names.
 */
const CONTAINERS = 'mov,matroska,webm,avi,mpegts,mpeg,ogg,flv,asf'
/**
 * Scales the frame into the box in one step, never up, and to square pixels. ffmpeg applies rotation itself.
 */
const WIDE = 'iw*if(sar,sar,1)'
function videoFilters(edge: number): string {
  const factor = `min(1,${edge}/max(${WIDE},ih))`
  return `scale=w='max(1,round(${WIDE}*${factor}))':h='max(1,round(ih*${factor}))',setsar=1`
}

/**
 * Writes the poster in all sizes. Resolves with true if it was written. A missing or failing ffmpeg is not an
 * error.
 */
export async function writePoster(
  source: string,
  scaled: readonly ScaledPicture[],
  duration: number | undefined,
  limits: DecoderLimits,
): Promise<boolean> {
  const edge = Math.max(...scaled.map(each => each.edge))
  const frame = await grabPoster(source, { edge, duration }, limits)
  if (!frame) return false
  // Some ffmpeg builds have no WebP encoder, so sharp writes the WebP.
  const { sharp } = await import('./library.ts')
  try {
    for (const each of scaled) await writeScaled(sharp(frame), each)
    return true
  } catch (error) {
    if (isSystemError(error)) throw error
    return false
  }
}

/**
 * The frame as a PNG whose longer edge has at most `edge` pixels; null if ffmpeg is missing or finds no
 * frame.
 */
export async function grabPoster(
  source: string,
  { edge, duration }: { edge: number; duration: number | undefined },
  { posterDeadlineMs, memoryBytes }: DecoderLimits,
): Promise<Buffer | null> {
  const ffmpeg = Bun.which('ffmpeg', { PATH: process.env.PATH ?? '' })
  if (!ffmpeg) return null
  const film = { source, edge, until: performance.now() + posterDeadlineMs, memoryBytes }
  const at = momentOf(duration)
  return (await grab(ffmpeg, film, at)) ?? (at > 0 ? await grab(ffmpeg, film, 0) : null)
}

interface Film {
  source: string
  /** Pixels of the longer edge of the wanted frame. */
  edge: number
  /** The deadline, by `performance.now()`. */
  until: number
  memoryBytes: number
}

async function grab(ffmpeg: string, film: Film, at: number): Promise<Buffer | null> {
  const { edge, until, memoryBytes } = film
  const left = until - performance.now()
  if (left <= 0) return null
  // The child is not detached, so that killing the decoder's process group also ends ffmpeg. The picture is
  // read from a pipe, so no partial file is left.
  const child = Bun.spawn({
    cmd: [ffmpeg, ...commandLine(film, at, Math.ceil(left / 1000))],
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'ignore',
    windowsHide: true,
    timeout: Math.ceil(left),
    killSignal: 'SIGKILL',
    maxBuffer: edge * edge * PIXEL_BYTES,
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

function commandLine({ source, edge }: Film, at: number, seconds: number): string[] {
  const quiet = ['-nostdin', '-hide_banner', '-v', 'quiet']
  // The limit counts seconds of processor time and is enforced by the kernel, so ffmpeg ends even if all our
  // other processes are killed.
  const bounded = ['-timelimit', String(seconds), '-threads', '1', '-filter_threads', '1']
  const walled = ['-protocol_whitelist', 'file', '-format_whitelist', CONTAINERS]
  const input = ['-an', '-sn', '-dn', '-ss', String(at), '-i', `file:${source}`]
  // `V` instead of `v` excludes cover art.
  const output = ['-map', '0:V:0', '-frames:v', '1', '-vf', videoFilters(edge), '-threads', '1']
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

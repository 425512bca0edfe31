/** Lets ffmpeg extract one frame of a video, and writes the frame in the wanted sizes. */

import { readFile } from 'node:fs/promises'
import { isSystemError } from '../../base/system/error-code.ts'
import type { DecoderLimits } from '../options.ts'
import type { ScaledPicture } from '../protocol.ts'
import { writeScaledPicture } from './write.ts'

/** Maximum number of bytes per pixel that ffmpeg may write, more than an uncompressed picture has. */
const MAX_BYTES_PER_PIXEL = 9
/**
 * The frame is taken at a tenth of the duration, but not before the earliest time, because many videos begin
 * with black, and not after the latest time, because without an index ffmpeg must read everything before the
 * frame. If a video is shorter than two seconds or of unknown duration, its first frame is taken.
 */
const EARLIEST_POSTER_SECONDS = 1
const LATEST_POSTER_SECONDS = 10
/** Milliseconds between two checks of ffmpeg's memory. */
const MEMORY_CHECK_INTERVAL = 50

/**
 * Formats that ffmpeg may read. It follows no references to other files in any of them. Playlists and
 * concat lists are missing, because ffmpeg would read any local file that such a list names.
 */
const ALLOWED_CONTAINERS = 'mov,matroska,webm,avi,mpegts,mpeg,ogg,flv,asf'
/** ffmpeg's expression for the width of the frame with square pixels. */
const DISPLAY_WIDTH = 'iw*if(sar,sar,1)'

/**
 * ffmpeg's filters that scale the frame, in one step, to square pixels and a longer edge of at most `edge`. A
 * smaller frame is not enlarged. ffmpeg applies the rotation itself.
 */
function videoFilters(edge: number): string {
  const factor = `min(1,${edge}/max(${DISPLAY_WIDTH},ih))`
  return `scale=w='max(1,round(${DISPLAY_WIDTH}*${factor}))':h='max(1,round(ih*${factor}))',setsar=1`
}

/**
 * Writes the poster in all sizes. Resolves with true if it was written. A missing or failing ffmpeg is not an
 * error.
 */
export async function writePoster(
  source: string,
  scaledPictures: readonly ScaledPicture[],
  duration: number | undefined,
  limits: DecoderLimits,
): Promise<boolean> {
  const edge = Math.max(...scaledPictures.map(scaledPicture => scaledPicture.edge))
  const frame = await grabFrame(source, { edge, duration }, limits)
  if (!frame) return false
  // Some ffmpeg builds have no WebP encoder, so sharp writes the WebP.
  const { sharp } = await import('./library.ts')
  try {
    for (const scaledPicture of scaledPictures) await writeScaledPicture(sharp(frame), scaledPicture)
    return true
  } catch (error) {
    if (isSystemError(error)) throw error
    return false
  }
}

/**
 * The frame as a PNG whose longer edge has at most `edge` pixels; null if ffmpeg is missing, fails, finds no
 * frame, or exceeds the limits of time or memory.
 */
export async function grabFrame(
  source: string,
  { edge, duration }: { edge: number; duration: number | undefined },
  { posterDeadlineMs, memoryBytes }: DecoderLimits,
): Promise<Buffer | null> {
  const ffmpeg = Bun.which('ffmpeg', { PATH: process.env.PATH ?? '' })
  if (!ffmpeg) return null
  const frameRequest = { source, edge, deadline: performance.now() + posterDeadlineMs, memoryBytes }
  const seconds = posterSeconds(duration)
  return (
    (await grabFrameAt(ffmpeg, frameRequest, seconds)) ??
    (seconds > 0 ? await grabFrameAt(ffmpeg, frameRequest, 0) : null)
  )
}

interface FrameRequest {
  source: string
  /** Maximum number of pixels of the longer edge of the frame. */
  edge: number
  /** The deadline on the clock of `performance.now()`. */
  deadline: number
  memoryBytes: number
}

async function grabFrameAt(
  ffmpeg: string,
  frameRequest: FrameRequest,
  seconds: number,
): Promise<Buffer | null> {
  const { edge, deadline, memoryBytes } = frameRequest
  const remainingMs = deadline - performance.now()
  if (remainingMs <= 0) return null
  // The child is not detached, so that killing the decoder's process group also ends ffmpeg. The picture is
  // read from a pipe, so no partial file is left.
  const child = Bun.spawn({
    cmd: [ffmpeg, ...ffmpegArguments(frameRequest, seconds, Math.ceil(remainingMs / 1000))],
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'ignore',
    windowsHide: true,
    timeout: Math.ceil(remainingMs),
    killSignal: 'SIGKILL',
    maxBuffer: edge * edge * MAX_BYTES_PER_PIXEL,
  })
  const memoryGuard = setInterval(async () => {
    if ((await residentBytes(child.pid)) > memoryBytes) child.kill('SIGKILL')
  }, MEMORY_CHECK_INTERVAL)
  try {
    const frame = Buffer.from(await new Response(child.stdout).arrayBuffer())
    return (await child.exited) === 0 && frame.length > 0 ? frame : null
  } finally {
    clearInterval(memoryGuard)
  }
}

function ffmpegArguments({ source, edge }: FrameRequest, seconds: number, maxSeconds: number): string[] {
  const quietOptions = ['-nostdin', '-hide_banner', '-v', 'quiet']
  // `-timelimit` counts seconds of processor time. The kernel enforces it (not on Windows), so ffmpeg ends
  // even if all our other processes are killed.
  const limitOptions = ['-timelimit', String(maxSeconds), '-threads', '1', '-filter_threads', '1']
  const restrictionOptions = ['-protocol_whitelist', 'file', '-format_whitelist', ALLOWED_CONTAINERS]
  const inputOptions = ['-an', '-sn', '-dn', '-ss', String(seconds), '-i', `file:${source}`]
  // `V` instead of `v` excludes cover art.
  const outputOptions = ['-map', '0:V:0', '-frames:v', '1', '-vf', videoFilters(edge), '-threads', '1']
  return [
    ...quietOptions,
    ...limitOptions,
    ...restrictionOptions,
    ...inputOptions,
    ...outputOptions,
    '-f',
    'image2pipe',
    '-c:v',
    'png',
    'pipe:1',
  ]
}

/** Resident memory of a process in bytes; 0 except on Linux. */
async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024
}

function posterSeconds(duration = 0): number {
  if (duration < 2 * EARLIEST_POSTER_SECONDS) return 0
  return Math.min(LATEST_POSTER_SECONDS, Math.max(EARLIEST_POSTER_SECONDS, duration / 10))
}

/** Starts a decoder process, gives it jobs, and kills it when it misbehaves. */

import { dirname } from 'node:path'
import { succeeds } from '../base/attempt.ts'
import { withTimeout } from '../base/time-limit.ts'
import { coreWaitTime, startDeadline } from './deadline.ts'
import { MEMORY_LIMIT_MESSAGE } from './decoder/end.ts'
import { type DecodingFailure, ImagesError } from './error.ts'
import type { DecoderLimits, DecodingSettings } from './options.ts'
import { type DecoderJob, type DecoderReply, type JobKind, parseReply } from './protocol.ts'

/** One decoder process. The caller ensures that it gets one job at a time. */
export interface DecoderProcess {
  readonly pid: number
  /** Whether the process can do jobs; false as soon as it is known to be ending. */
  readonly isUsable: boolean
  /**
   * Lets the process do a job. If the process is lost, rejects with an ImagesError, but only after the
   * process has exited: it can then write nothing more, and the caller can remove its files.
   */
  run(job: DecoderJob): Promise<DecoderReply>
  /** Kills the process and its children. */
  stop(reason: DecodingFailure): void
  /** Resolves when the process has exited; never rejects. */
  readonly exited: Promise<void>
}

const IS_WINDOWS = process.platform === 'win32'
/** Milliseconds to wait for standard error to end after the exit: a grandchild may keep the pipe open. */
const STDERR_TIMEOUT = 500
/** Maximum number of characters of standard error that the error message quotes. */
const MAX_STDERR_CHARACTERS = 2000
/** The only environment variables that the decoder inherits. None of them contains a secret. */
const INHERITED_VARIABLES = [
  'SystemRoot',
  'SystemDrive',
  'windir',
  'PATHEXT',
  'TEMP',
  'TMP',
  'TMPDIR',
  'TZ',
] as const

/** Starts a decoder. Tests replace this function to reuse decoders of stopped services. */
export type StartDecoder = (settings: DecodingSettings) => DecoderProcess

export const startDecoderProcess: StartDecoder = settings => {
  let pendingJob: (PromiseWithResolvers<DecoderReply> & { kind: JobKind }) | undefined
  let cancelDeadline = () => {}
  let lossReason: DecodingFailure | undefined
  let hasExited = false
  const child = spawnDecoder(settings, { message: settle, disconnected: () => stop('crashed') })
  const stderr = readTail(child.stderr)

  function settle(message: unknown) {
    if (lossReason) return
    const validReply = pendingJob && parseReply(pendingJob.kind, message)
    // A decoder that sends an invalid or unexpected reply is not trusted any more.
    if (!pendingJob || !validReply) return stop('crashed')
    cancelDeadline()
    pendingJob.resolve(validReply)
    pendingJob = undefined
  }

  function stop(reason: DecodingFailure) {
    lossReason ??= reason
    if (!hasExited) killDecoderGroup(child.pid, () => child.kill('SIGKILL'))
  }

  async function awaitExit() {
    await child.exited
    // A crashed decoder may have left its ffmpeg running, in the decoder's process group. As long as that
    // ffmpeg runs, the id of the group is not reused.
    killDecoderGroup(child.pid, () => {})
    hasExited = true
    cancelDeadline()
    await withTimeout(STDERR_TIMEOUT, stderr.ended)
    pendingJob?.reject(createDecoderLostError(lossReason, stderr.text(), child))
    pendingJob = undefined
  }

  const exited = awaitExit()
  return {
    pid: child.pid,
    get isUsable() {
      return lossReason === undefined && !hasExited
    },
    exited,
    stop,
    run(job) {
      pendingJob = { ...Promise.withResolvers<DecoderReply>(), kind: job.kind }
      const { promise } = pendingJob
      cancelDeadline = startDeadline(
        settings.deadlineMs,
        () => coreWaitTime(child.pid),
        () => stop('timeout'),
      )
      if (!succeeds(() => child.send(job))) stop('crashed')
      return promise
    },
  }
}

function spawnDecoder(
  settings: DecodingSettings,
  handlers: { message(message: unknown): void; disconnected(): void },
) {
  const { entryFile, pixels, memoryBytes, posterDeadlineMs } = settings
  const limits: DecoderLimits = { pixels, memoryBytes, posterDeadlineMs }
  return Bun.spawn({
    // Without this option Bun would read the service's secrets from a .env file.
    cmd: [process.execPath, '--no-env-file', entryFile, JSON.stringify(limits), String(process.pid)],
    cwd: dirname(entryFile),
    env: decoderEnv(settings.searchPath),
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'pipe',
    // Starts a process group, so that one kill ends the decoder and its ffmpeg. On Windows, job objects
    // ensure that.
    detached: !IS_WINDOWS,
    windowsHide: true,
    serialization: 'json',
    ipc: handlers.message,
    onDisconnect: handlers.disconnected,
  })
}

function decoderEnv(path: string): Record<string, string> {
  const env: Record<string, string> = {
    PATH: path,
    // glibc may create a memory arena for each thread; with the threads of a codec, memory would grow as if
    // it leaked.
    MALLOC_ARENA_MAX: '2',
    // Keeps libvips from writing large images to temporary files, which a kill would leave behind.
    VIPS_DISC_THRESHOLD: '1000g',
    // On Windows, Bun would otherwise report a crash over the network.
    DO_NOT_TRACK: '1',
  }
  for (const name of INHERITED_VARIABLES) {
    const value = process.env[name]
    if (value !== undefined) env[name] = value
  }
  return env
}

function killDecoderGroup(pid: number, fallback: () => void) {
  if (IS_WINDOWS || !succeeds(() => process.kill(-pid, 'SIGKILL'))) fallback()
}

function createDecoderLostError(
  lossReason: DecodingFailure | undefined,
  stderrText: string,
  exitStatus: { exitCode: number | null; signalCode: string | number | null },
): ImagesError {
  // The IPC channel closes before the exit code is known. So `crashed` is only a guess; standard error may
  // say that memory ran out.
  const isReasonGuessed = lossReason === undefined || lossReason === 'crashed'
  const reason = isReasonGuessed
    ? stderrText.includes(MEMORY_LIMIT_MESSAGE)
      ? 'memory'
      : 'crashed'
    : lossReason
  const exitText = exitStatus.signalCode ?? `code ${exitStatus.exitCode}`
  return new ImagesError(
    reason,
    `decoder ended (${reason}, ${exitText})${stderrText.trim() ? `: ${stderrText.trim()}` : ''}`,
  )
}

/** Reads the whole stream, so that its writer never blocks, but keeps only the end. */
function readTail(stream: ReadableStream<Uint8Array>): { text(): string; ended: Promise<void> } {
  let tail = ''
  const textDecoder = new TextDecoder()
  async function drainOutput() {
    for await (const chunk of stream)
      tail = (tail + textDecoder.decode(chunk, { stream: true })).slice(-MAX_STDERR_CHARACTERS)
  }
  return { text: () => tail, ended: drainOutput().catch(() => {}) }
}

/** The two drives of this window. */
import { useSyncExternalStore } from 'react'
import { post } from '../../api/client.ts'
import { mayHelp } from '../../api/queries.ts'
import { useEvents } from '../../live/events.tsx'
import { createDrive, type Drive, type DriveState } from './drive.ts'

export type RoundTask = 'thumbs' | 'webp'

const pause = (milliseconds: number) => new Promise(resolve => setTimeout(resolve, milliseconds))

const driveOf = (task: RoundTask) =>
  createDrive({ call: () => post(`maintenance/${task}`), mayHelp, pause, now: () => Date.now() })

const DRIVES: Readonly<Record<RoundTask, Drive>> = { thumbs: driveOf('thumbs'), webp: driveOf('webp') }

export function useDrive(task: RoundTask): { drive: Drive; state: DriveState } {
  const drive = DRIVES[task]
  useEvents('fortschritt', ({ aufgabe, ...progress }) => aufgabe === task && drive.hear(progress))
  return { drive, state: useSyncExternalStore(drive.subscribe, drive.state) }
}

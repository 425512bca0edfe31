/** A player for a video or an audio file. */
import { IconMusic } from '@tabler/icons-react'
import { type PointerEvent, type Ref, useImperativeHandle, useRef } from 'react'
import { ownValue } from '../../../../src/contract/values/own-value.ts'
import { nameOf } from '../../state/paths.ts'
import { useContentSources } from '../../ui/files/content.ts'
import type { FileAnswer } from '../types.ts'
import type { ContentKeyHandler } from './content-props.ts'
import classes from './viewer.module.css'

/** Seconds by which a key jumps forward or back. */
const JUMP_SECONDS = 10

export interface PlayerProps {
  file: FileAnswer
  keyHandlerRef: Ref<ContentKeyHandler>
  onFail(): void
}

export function Player({ file, keyHandlerRef, onFail }: PlayerProps) {
  const player = useRef<HTMLVideoElement & HTMLAudioElement>(null)
  const sources = useContentSources()
  useImperativeHandle(keyHandlerRef, () => ({
    handleKey(key) {
      const action = player.current && ownValue(keyActionsOf(player.current), key)
      action?.()
      return action != null
    },
  }))
  const previewAddress = sources.addressOfPreview(file)
  const playerProps = {
    ref: player,
    src: sources.addressOfFile(file.path),
    'aria-label': nameOf(file.path),
    controls: true,
    preload: 'metadata',
    onPointerUp: returnFocus,
    onError: onFail,
  }
  if (file.art === 'video')
    return (
      <video
        className={classes.film}
        {...playerProps}
        {...(previewAddress !== null && { poster: previewAddress })}
      />
    )
  return (
    <div className={classes.sound}>
      <IconMusic className={classes.cover} stroke={0.75} aria-hidden />
      <audio {...playerProps} />
    </div>
  )
}

const keyActionsOf = (player: HTMLMediaElement): Record<string, () => void> => ({
  ' ': () => (player.paused ? void player.play() : player.pause()),
  'shift+ArrowLeft': () => jump(player, -JUMP_SECONDS),
  'shift+ArrowRight': () => jump(player, JUMP_SECONDS),
})

function jump(player: HTMLMediaElement, seconds: number): void {
  player.currentTime = Math.max(0, Math.min(player.currentTime + seconds, player.duration || 0))
}

/**
 * Returns the focus to the viewer after a mouse click on the player. Otherwise the player would have the
 * focus, and its keys would replace those of the viewer.
 */
function returnFocus({ currentTarget, pointerType }: PointerEvent<HTMLElement>): void {
  if (pointerType === 'mouse') currentTarget.closest<HTMLElement>('[data-autofocus]')?.focus()
}

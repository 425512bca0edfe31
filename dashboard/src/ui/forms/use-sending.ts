/** A request that a form or a button sends, with its state. `useMutation` without TanStack Query. */
import { useRef, useState } from 'react'

interface Sending<Answer, Given> {
  isPending: boolean
  isSuccess: boolean
  error: Error | null
  data?: Answer
  /** What the last request was started with. */
  given?: Given
}

const IDLE = { isPending: false, isSuccess: false, error: null }

export function useSending<Answer, Given = void>(
  send: (given: Given) => Promise<Answer>,
  onSent?: (answer: Answer) => unknown,
) {
  const [state, setState] = useState<Sending<Answer, Given>>(IDLE)
  // Only the last request is shown; an earlier one may still end.
  const last = useRef(0)
  const show = (id: number, next: Sending<Answer, Given>) => id === last.current && setState(next)
  return {
    ...state,
    async start(given: Given) {
      const id = ++last.current
      show(id, { ...IDLE, isPending: true, given })
      try {
        const data = await send(given)
        await onSent?.(data)
        show(id, { ...IDLE, isSuccess: true, data, given })
      } catch (error) {
        show(id, { ...IDLE, error: error as Error, given })
      }
    },
    reset: () => show(++last.current, IDLE),
  }
}

/**
 * A request that a form or a button sends, with its state: like `useMutation`, but without TanStack Query.
 */
import { useRef, useState } from 'react'

interface Sending<Answer, Given> {
  isPending: boolean
  isSuccess: boolean
  error: Error | null
  data?: Answer
  /** The argument of the last call of `start`. */
  given?: Given
}

const IDLE = { isPending: false, isSuccess: false, error: null }

export function useSending<Answer, Given = void>(
  send: (given: Given) => Promise<Answer>,
  onSent?: (answer: Answer) => unknown,
) {
  const [state, setState] = useState<Sending<Answer, Given>>(IDLE)
  // Only the state of the last request is shown; an earlier one may end after it.
  const lastId = useRef(0)
  const show = (id: number, next: Sending<Answer, Given>) => id === lastId.current && setState(next)
  return {
    ...state,
    async start(given: Given) {
      const id = ++lastId.current
      show(id, { ...IDLE, isPending: true, given })
      try {
        const data = await send(given)
        await onSent?.(data)
        show(id, { ...IDLE, isSuccess: true, data, given })
      } catch (error) {
        show(id, { ...IDLE, error: error as Error, given })
      }
    },
    reset: () => show(++lastId.current, IDLE),
  }
}

/**
 * The state of a request that a form or a button sends, like that of `useMutation`, but without TanStack
 * Query.
 */
import { useRef, useState } from 'react'

interface SendingState<Answer, Input> {
  isPending: boolean
  isSuccess: boolean
  error: Error | null
  data?: Answer
  /** The argument of the last call of `start`. */
  input?: Input
}

const IDLE_STATE = { isPending: false, isSuccess: false, error: null }

export function useSending<Answer, Input = void>(
  send: (input: Input) => Promise<Answer>,
  onSent?: (answer: Answer) => unknown,
) {
  const [state, setState] = useState<SendingState<Answer, Input>>(IDLE_STATE)
  // Only the state of the last request is shown: an earlier request may end after it.
  const lastRequestId = useRef(0)
  const applyState = (id: number, newState: SendingState<Answer, Input>) =>
    id === lastRequestId.current && setState(newState)
  return {
    ...state,
    async start(input: Input) {
      const id = ++lastRequestId.current
      applyState(id, { ...IDLE_STATE, isPending: true, input })
      try {
        const data = await send(input)
        await onSent?.(data)
        applyState(id, { ...IDLE_STATE, isSuccess: true, data, input })
      } catch (error) {
        applyState(id, { ...IDLE_STATE, error: error as Error, input })
      }
    },
    reset: () => applyState(++lastRequestId.current, IDLE_STATE),
  }
}

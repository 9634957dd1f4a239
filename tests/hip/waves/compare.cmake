# Fails unless the output of PROGRAM equals the file COMMITTED.
execute_process(COMMAND "${PROGRAM}" OUTPUT_VARIABLE made COMMAND_ERROR_IS_FATAL ANY)
file(READ "${COMMITTED}" committed)
if(NOT made STREQUAL committed)
  message(FATAL_ERROR "${COMMITTED} is not what the rungs do: ${PROGRAM} > ${COMMITTED}, then tools/docs.py")
endif()

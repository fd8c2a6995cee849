-- What wrk sends, by its arguments after "--", and what it says at the end: one line that programs can read.
--
--   pipelined N           N requests at once
--   tenants N PAGE        the page of one of N tenants, chosen at random
--   (none)                the same request again and again

function init(args)
    if args[1] == "pipelined" then
        local batch = string.rep(wrk.format(), tonumber(args[2]))
        request = function() return batch end
    elseif args[1] == "tenants" then
        local requests = {}
        for index = 1, tonumber(args[2]) do
            requests[index] = wrk.format("GET", string.format("/t%04d/%s", index, args[3]))
        end
        math.randomseed(1)
        request = function() return requests[math.random(#requests)] end
    end
    if request then wrk.request = request end
end

function done(summary)
    local errors = summary.errors
    local sum = errors.connect + errors.read + errors.write + errors.status + errors.timeout
    io.write(string.format("RESULT %d %d %d\n", summary.requests, summary.bytes, sum))
end

# Walks through the operations of `trenio server` with one client, each called as its users call it: boto3, or the real code of the
# AWS CLI (parsers, --cli-input-json, waiters, output), in this process, since a process for each command takes longer than all else.
# Prints "ran OPERATION", "skip OPERATION" (this version's model does not know it) and "FAIL PART: why".
#
#   python3 walk.py boto3|cli URL TRAIN_IMAGE SERVE_IMAGE IMAGE_THAT_NEVER_ANSWERS       with the AWS_ variables of the server
import contextlib
import io
import json
import os
import re
import sys
import tempfile
import time
import traceback

DRIVER, ENDPOINT, TRAIN, SERVE, SLEEP = sys.argv[1:]
ROLE = "arn:aws:iam::123456789012:role/walk"
# The CLI has no command for answers that are streams of events.
# StartLiveTail has one, which adds a prefix to the name of the host: see docs/server.md.
NOT_IN_CLI = {"InvokeEndpointWithResponseStream", "StartLiveTail"}
ran, skipped = set(), set()


class Refused(Exception):
    pass


class Skip(Exception):
    pass


def snake(name):
    name = re.sub(r"(.)([A-Z][a-z]+)", r"\1_\2", name)
    return re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", name).lower()


class Boto3:
    def __init__(self):
        import boto3
        import botocore
        from botocore.config import Config as Settings

        self.version = f"boto3 {boto3.__version__}, botocore {botocore.__version__}"
        self.clients = {}
        self.make = boto3.client
        self.config = Settings(inject_host_prefix=False)
        self.services = boto3.session.Session().get_available_services()

    def client(self, service):
        if service not in self.clients:
            # Live tails have a host of their own at AWS.
            self.clients[service] = self.make(service, endpoint_url=ENDPOINT, config=self.config)
        return self.clients[service]

    def knows(self, service, operation):
        return service in self.services and operation in self.client(service).meta.service_model.operation_names

    def call(self, service, operation, **arguments):
        from botocore.exceptions import ClientError

        try:
            answer = getattr(self.client(service), snake(operation))(**arguments)
        except ClientError as error:
            raise Refused(str(error)) from error
        if hasattr(answer.get("Body"), "read"):
            answer["Body"] = answer["Body"].read()
        elif "Body" in answer:
            answer["Body"] = b"".join(event["PayloadPart"]["Bytes"] for event in answer["Body"])
        return answer

    def wait(self, service, waiter, **arguments):
        self.client(service).get_waiter(waiter).wait(**arguments, WaiterConfig={"Delay": 1, "MaxAttempts": 120})


class Cli:
    def __init__(self):
        import awscli
        from awscli.clidriver import create_clidriver

        self.version = f"aws-cli {awscli.__version__}"
        self.driver = create_clidriver()

    def knows(self, service, operation):
        if operation in NOT_IN_CLI:
            return False
        session = self.driver.session
        if service not in session.get_available_services():
            return False
        return operation in session.get_service_model(service).operation_names

    def command(self, service):
        return "s3api" if service == "s3" else service

    def main(self, words):
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            try:
                code = self.driver.main(["--endpoint-url", ENDPOINT, "--output", "json", *words])
            except SystemExit as end:
                # How it ends after words that it does not accept.
                code = end.code
        if code != 0:
            raise Refused(err.getvalue() or out.getvalue())
        return out.getvalue()

    def call(self, service, operation, **arguments):
        model = self.driver.session.get_service_model(service).operation_model(operation)
        words = [self.command(service), snake(operation).replace("_", "-")]
        with tempfile.TemporaryDirectory() as folder:
            # Bodies are files.
            if "Body" in arguments:
                path = os.path.join(folder, "in")
                with open(path, "wb") as file:
                    file.write(arguments.pop("Body"))
                words += ["--body", path if operation != "InvokeEndpoint" else f"fileb://{path}"]
            out = os.path.join(folder, "out")
            streams = model.has_streaming_output
            if streams:
                # `get-object` and the like name the file that takes the answer's body, and read no JSON.
                for name, value in arguments.items():
                    words += ["--" + snake(name).replace("_", "-"), value]
                words.append(out)
            else:
                words += ["--cli-input-json", json.dumps(arguments)]
            text = self.main(words)
            answer = json.loads(text) if text.strip() else {}
            if streams:
                with open(out, "rb") as file:
                    answer["Body"] = file.read()
            return answer

    def wait(self, service, waiter, **arguments):
        words = []
        for name, value in arguments.items():
            words += ["--" + snake(name).replace("_", "-"), value]
        self.main([self.command(service), "wait", waiter.replace("_", "-"), *words])


driver = Boto3() if DRIVER == "boto3" else Cli()
parts = []


def part(function):
    parts.append(function)
    return function


def call(service, operation, **arguments):
    if not driver.knows(service, operation):
        skipped.add(operation)
        raise Skip(operation)
    answer = driver.call(service, operation, **arguments)
    ran.add(operation)
    return answer


def maybe(service, operation, **arguments):
    """As `call`; None if this version does not know the operation."""
    try:
        return call(service, operation, **arguments)
    except Skip:
        return None


def refused(service, operation, code, **arguments):
    try:
        call(service, operation, **arguments)
    except Refused as error:
        assert code in str(error), error
        return
    raise AssertionError(f"{operation} was not refused")


def sm(operation, **arguments):
    return call("sagemaker", operation, **arguments)


def exists(operation, service, expected=True, **arguments):
    for _ in range(600):
        try:
            call(service, operation, **arguments)
            found = True
        except Refused:
            found = False
        if found == expected:
            return
        time.sleep(0.1)
    raise AssertionError(f"{operation} {arguments}")


# The CLI's waiters ask every 5 to 120 s: they are called where their state has been reached.
def until(operation, key, *states, **name):
    for _ in range(600):
        answer = sm(operation, **name)
        if answer[key] in states:
            return answer
        time.sleep(0.1)
    raise AssertionError(f"{operation}: {answer}")


def training(name, **hyperparameters):
    return dict(
        TrainingJobName=name,
        RoleArn=ROLE,
        AlgorithmSpecification={
            "TrainingImage": TRAIN,
            "TrainingInputMode": "File",
            "MetricDefinitions": [{"Name": "loss", "Regex": "loss=([0-9.]+);"}],
        },
        HyperParameters=hyperparameters,
        OutputDataConfig={"S3OutputPath": "s3://walk/out"},
        ResourceConfig={"InstanceType": "ml.trn1.2xlarge", "InstanceCount": 1, "VolumeSizeInGB": 1},
        StoppingCondition={"MaxRuntimeInSeconds": 60},
    )


@part
def identity():
    assert call("sts", "GetCallerIdentity")["Account"] == "123456789012"


@part
def objects():
    at = {"Bucket": "walk", "Key": "a"}
    call("s3", "CreateBucket", Bucket="walk")
    call("s3", "HeadBucket", Bucket="walk")
    call("s3", "GetBucketLocation", Bucket="walk")
    tag = call("s3", "PutObject", **at, Body=b"one")["ETag"]
    assert call("s3", "GetObject", **at)["Body"] == b"one"
    assert call("s3", "GetObject", **at, Range="bytes=1-1")["Body"] == b"n"
    refused("s3", "GetObject", "304", **at, IfNoneMatch=tag)
    # Conditional writes: not in the models of older clients.
    try:
        refused("s3", "PutObject", "PreconditionFailed", **at, Body=b"two", IfNoneMatch="*")
    except Exception as error:
        assert "IfNoneMatch" in str(error), error
    assert call("s3", "HeadObject", **at)["ContentLength"] == 3
    call("s3", "CopyObject", Bucket="walk", Key="b", CopySource="walk/a")
    call("s3", "PutObjectTagging", **at, Tagging={"TagSet": [{"Key": "team", "Value": "red"}]})
    assert call("s3", "GetObjectTagging", **at)["TagSet"] == [{"Key": "team", "Value": "red"}]
    call("s3", "DeleteObjectTagging", **at)
    versions = call("s3", "ListObjectVersions", Bucket="walk")["Versions"]
    assert [(one["Key"], one["VersionId"]) for one in versions] == [("a", "null"), ("b", "null")]
    if maybe("s3", "GetObjectAttributes", **at, ObjectAttributes=["ETag", "ObjectSize"]) is not None:
        assert call("s3", "GetObjectAttributes", **at, ObjectAttributes=["ObjectSize"])["ObjectSize"] == 3
    assert [one["Key"] for one in call("s3", "ListObjectsV2", Bucket="walk")["Contents"]] == ["a", "b"]
    assert len(call("s3", "ListObjects", Bucket="walk")["Contents"]) == 2
    name = {"Bucket": "walk", "Key": "large"}
    for finishes in (False, True):
        upload = {**name, "UploadId": call("s3", "CreateMultipartUpload", **name)["UploadId"]}
        part = call("s3", "UploadPart", **upload, PartNumber=1, Body=b"x" * (5 << 20))
        copied = call("s3", "UploadPartCopy", **upload, PartNumber=2, CopySource="walk/a")["CopyPartResult"]
        assert len(call("s3", "ListParts", **upload)["Parts"]) == 2
        assert len(call("s3", "ListMultipartUploads", Bucket="walk")["Uploads"]) == 1
        if finishes:
            tags = [{"PartNumber": 1, "ETag": part["ETag"]}, {"PartNumber": 2, "ETag": copied["ETag"]}]
            call("s3", "CompleteMultipartUpload", **upload, MultipartUpload={"Parts": tags})
        else:
            call("s3", "AbortMultipartUpload", **upload)
    assert call("s3", "HeadObject", **name)["ContentLength"] == (5 << 20) + 3
    call("s3", "DeleteObject", **name)
    call("s3", "DeleteObjects", Bucket="walk", Delete={"Objects": [{"Key": "b"}]})
    call("s3", "CreateBucket", Bucket="walk-empty")
    call("s3", "DeleteBucket", Bucket="walk-empty")
    assert [one["Name"] for one in call("s3", "ListBuckets")["Buckets"]] == ["walk"]


@part
def training_jobs():
    arn = sm("CreateTrainingJob", **training("walk-a", lr="0.5"))["TrainingJobArn"]
    sm("CreateTrainingJob", **training("walk-b", seconds="50"))
    sm("UpdateTrainingJob", TrainingJobName="walk-b", ProfilerConfig={"DisableProfiler": True})
    sm("StopTrainingJob", TrainingJobName="walk-b")
    until("DescribeTrainingJob", "TrainingJobStatus", "Completed", TrainingJobName="walk-a")
    driver.wait("sagemaker", "training_job_completed_or_stopped", TrainingJobName="walk-a")
    until("DescribeTrainingJob", "TrainingJobStatus", "Stopped", TrainingJobName="walk-b")
    assert len(sm("ListTrainingJobs", NameContains="walk-")["TrainingJobSummaries"]) == 2
    filters = [{"Name": "TrainingJobName", "Operator": "Equals", "Value": "walk-a"}]
    found = sm("Search", Resource="TrainingJob", SearchExpression={"Filters": filters})["Results"]
    assert [one["TrainingJob"]["TrainingJobName"] for one in found] == ["walk-a"], found
    sm("AddTags", ResourceArn=arn, Tags=[{"Key": "a", "Value": "1"}])
    assert sm("ListTags", ResourceArn=arn)["Tags"] == [{"Key": "a", "Value": "1"}]
    sm("DeleteTags", ResourceArn=arn, TagKeys=["a"])
    maybe("sagemaker", "DeleteTrainingJob", TrainingJobName="walk-b")


@part
def metrics():
    now = int(time.time())
    point = {"MetricName": "walk", "Timestamp": now, "Step": 1, "Value": 0.5}
    component = "walk-a-aws-training-job"
    assert not call("sagemaker-metrics", "BatchPutMetrics", TrialComponentName=component, MetricData=[point]).get("Errors")
    query = {
        "MetricName": "walk",
        "ResourceArn": "arn:aws:sagemaker:us-east-1:123456789012:training-job/walk-a",
        "MetricStat": "Last",
        "Period": "OneMinute",
        "XAxisType": "Timestamp",
        "Start": now - 60,
        "End": now + 60,
    }
    found = call("sagemaker-metrics", "BatchGetMetrics", MetricQueries=[query])["MetricQueryResults"]
    assert found[0]["Status"] == "Complete" and found[0]["MetricValues"] == [0.5], found


@part
def log_lines():
    group = "/aws/sagemaker/TrainingJobs"
    streams = call("logs", "DescribeLogStreams", logGroupName=group, logStreamNamePrefix="walk-a/")["logStreams"]
    page = call("logs", "GetLogEvents", logGroupName=group, logStreamName=streams[0]["logStreamName"], startFromHead=True)
    found = call("logs", "FilterLogEvents", logGroupName=group, logStreamNamePrefix="walk-a/", filterPattern="loss")
    assert 0 < len(found["events"]) <= len(page["events"]), found
    if DRIVER == "cli" and driver.version.startswith("aws-cli 2"):
        assert "loss=" in driver.main(["logs", "tail", group, "--since", "1h"])
    where = {"logGroupName": "walk", "logStreamName": "one"}
    call("logs", "CreateLogGroup", logGroupName="walk")
    call("logs", "CreateLogStream", **where)
    call("logs", "PutLogEvents", **where, logEvents=[{"timestamp": int(time.time() * 1000), "message": "hello"}])
    if driver.knows("logs", "StartLiveTail"):
        stream = call("logs", "StartLiveTail", logGroupIdentifiers=["walk"])["responseStream"]
        for event in stream:
            if "sessionStart" in event:
                call("logs", "PutLogEvents", **where, logEvents=[{"timestamp": int(time.time() * 1000), "message": "live"}])
            elif event["sessionUpdate"]["sessionResults"]:
                assert event["sessionUpdate"]["sessionResults"][0]["message"] == "live"
                break
        stream.close()
    call("logs", "PutRetentionPolicy", logGroupName="walk", retentionInDays=7)
    assert call("logs", "DescribeLogGroups", logGroupNamePrefix="walk")["logGroups"][0]["retentionInDays"] == 7
    call("logs", "DeleteRetentionPolicy", logGroupName="walk")
    arn = "arn:aws:logs:us-east-1:123456789012:log-group:walk"
    call("logs", "TagResource", resourceArn=arn, tags={"team": "a"})
    call("logs", "TagLogGroup", logGroupName="walk", tags={"cost": "b"})
    assert call("logs", "ListTagsForResource", resourceArn=arn)["tags"] == {"team": "a", "cost": "b"}
    call("logs", "UntagResource", resourceArn=arn, tagKeys=["team"])
    assert call("logs", "ListTagsLogGroup", logGroupName="walk")["tags"] == {"cost": "b"}
    call("logs", "UntagLogGroup", logGroupName="walk", tags=["cost"])
    call("logs", "DeleteLogStream", **where)
    call("logs", "DeleteLogGroup", logGroupName="walk")


@part
def tuning_jobs():
    definition = training("x")
    for name in ("TrainingJobName", "HyperParameters"):
        del definition[name]
    config = {
        "Strategy": "Random",
        "HyperParameterTuningJobObjective": {"Type": "Minimize", "MetricName": "loss"},
        "ResourceLimits": {"MaxNumberOfTrainingJobs": 1, "MaxParallelTrainingJobs": 1},
        "ParameterRanges": {"ContinuousParameterRanges": [{"Name": "lr", "MinValue": "0.1", "MaxValue": "1"}]},
    }
    name = {"HyperParameterTuningJobName": "walk"}
    request = dict(HyperParameterTuningJobConfig=config, TrainingJobDefinition=definition)
    sm("CreateHyperParameterTuningJob", **name, **request)
    # It would take longer than this walk.
    definition["StaticHyperParameters"] = {"seconds": "50"}
    other = {"HyperParameterTuningJobName": "walk-stopped"}
    sm("CreateHyperParameterTuningJob", **other, **request)
    sm("StopHyperParameterTuningJob", **other)
    until("DescribeHyperParameterTuningJob", "HyperParameterTuningJobStatus", "Completed", **name)
    assert len(sm("ListTrainingJobsForHyperParameterTuningJob", **name)["TrainingJobSummaries"]) == 1
    assert len(sm("ListHyperParameterTuningJobs")["HyperParameterTuningJobSummaries"]) == 2
    maybe("sagemaker", "DeleteHyperParameterTuningJob", **name)


@part
def endpoints():
    for name in ("walk", "walk-unused"):
        sm("CreateModel", ModelName=name, ExecutionRoleArn=ROLE, PrimaryContainer={"Image": SERVE})
        variant = {"VariantName": "all", "ModelName": "walk", "InstanceType": "ml.c5.large", "InitialInstanceCount": 1}
        sm(
            "CreateEndpointConfig",
            EndpointConfigName=name,
            ProductionVariants=[variant],
            AsyncInferenceConfig={"OutputConfig": {"S3OutputPath": "s3://walk/async"}},
        )
    assert sm("DescribeModel", ModelName="walk")["ModelName"] == "walk"
    assert len(sm("ListModels")["Models"]) == 2
    assert sm("DescribeEndpointConfig", EndpointConfigName="walk")["EndpointConfigName"] == "walk"
    assert len(sm("ListEndpointConfigs")["EndpointConfigs"]) == 2
    sm("CreateEndpoint", EndpointName="walk", EndpointConfigName="walk")
    until("DescribeEndpoint", "EndpointStatus", "InService", EndpointName="walk")
    driver.wait("sagemaker", "endpoint_in_service", EndpointName="walk")
    assert len(sm("ListEndpoints")["Endpoints"]) == 1
    asked = dict(EndpointName="walk", ContentType="text/plain")
    call("s3", "PutObject", Bucket="walk", Key="requests/1", Body=b"later")
    location = call("sagemaker-runtime", "InvokeEndpointAsync", **asked, InputLocation="s3://walk/requests/1")
    key = location["OutputLocation"].removeprefix("s3://walk/")
    exists("HeadObject", "s3", Bucket="walk", Key=key)
    driver.wait("s3", "object_exists", Bucket="walk", Key=key)
    assert b"later" in call("s3", "GetObject", Bucket="walk", Key=key)["Body"]
    weights = [{"VariantName": "all", "DesiredWeight": 2.0, "DesiredInstanceCount": 1}]
    sm("UpdateEndpointWeightsAndCapacities", EndpointName="walk", DesiredWeightsAndCapacities=weights)
    until("DescribeEndpoint", "EndpointStatus", "InService", EndpointName="walk")
    variant = {"VariantName": "all", "ModelName": "walk", "InstanceType": "ml.c5.large", "InitialInstanceCount": 1}
    sm("CreateEndpointConfig", EndpointConfigName="walk-now", ProductionVariants=[variant])
    sm("UpdateEndpoint", EndpointName="walk", EndpointConfigName="walk-now")
    until("DescribeEndpoint", "EndpointStatus", "InService", EndpointName="walk")
    assert b"hello" in call("sagemaker-runtime", "InvokeEndpoint", **asked, Body=b"hello")["Body"]
    answer = maybe("sagemaker-runtime", "InvokeEndpointWithResponseStream", **asked, Body=b"hello")
    assert answer is None or b"hello" in answer["Body"], answer
    scaling = "application-autoscaling"
    of = dict(ServiceNamespace="sagemaker", ScalableDimension="sagemaker:variant:DesiredInstanceCount")
    of["ResourceId"] = "endpoint/walk/variant/all"
    call(scaling, "RegisterScalableTarget", **of, MinCapacity=1, MaxCapacity=2)
    metric = {"PredefinedMetricType": "SageMakerVariantInvocationsPerInstance"}
    tracking = {"TargetValue": 70.0, "PredefinedMetricSpecification": metric, "ScaleInCooldown": 60}
    policy = dict(**of, PolicyName="walk", PolicyType="TargetTrackingScaling")
    call(scaling, "PutScalingPolicy", **policy, TargetTrackingScalingPolicyConfiguration=tracking)
    assert call(scaling, "DescribeScalableTargets", ServiceNamespace="sagemaker")["ScalableTargets"][0]["MaxCapacity"] == 2
    [put] = call(scaling, "DescribeScalingPolicies", ServiceNamespace="sagemaker")["ScalingPolicies"]
    assert put["TargetTrackingScalingPolicyConfiguration"]["TargetValue"] == 70.0
    assert call(scaling, "DescribeScalingActivities", ServiceNamespace="sagemaker")["ScalingActivities"] == []
    call(scaling, "DeleteScalingPolicy", **of, PolicyName="walk")
    call(scaling, "DeregisterScalableTarget", **of)
    sm("DeleteEndpoint", EndpointName="walk")
    exists("DescribeEndpoint", "sagemaker", False, EndpointName="walk")
    driver.wait("sagemaker", "endpoint_deleted", EndpointName="walk")
    sm("DeleteEndpointConfig", EndpointConfigName="walk-unused")
    sm("DeleteModel", ModelName="walk-unused")


@part
def transform_jobs():
    def request(name, model="walk"):
        return dict(
            TransformJobName=name,
            ModelName=model,
            TransformInput={
                "DataSource": {"S3DataSource": {"S3DataType": "S3Prefix", "S3Uri": "s3://walk/requests/"}},
                "ContentType": "text/plain",
            },
            TransformOutput={"S3OutputPath": "s3://walk/transformed"},
            TransformResources={"InstanceType": "ml.c5.xlarge", "InstanceCount": 1},
        )

    sm("CreateTransformJob", **request("walk"))
    until("DescribeTransformJob", "TransformJobStatus", "Completed", TransformJobName="walk")
    driver.wait("sagemaker", "transform_job_completed_or_stopped", TransformJobName="walk")
    assert b"later" in call("s3", "GetObject", Bucket="walk", Key="transformed/1.out")["Body"]
    # A model that never answers.
    sm("CreateModel", ModelName="walk-sleeps", ExecutionRoleArn=ROLE, PrimaryContainer={"Image": SLEEP})
    sm("CreateTransformJob", **request("walk-stopped", "walk-sleeps"))
    sm("StopTransformJob", TransformJobName="walk-stopped")
    assert len(sm("ListTransformJobs")["TransformJobSummaries"]) == 2


@part
def processing_jobs():
    for name, seconds in (("walk", "0"), ("walk-stopped", "50")):
        sm(
            "CreateProcessingJob",
            ProcessingJobName=name,
            RoleArn=ROLE,
            AppSpecification={"ImageUri": "trenio", "ContainerEntrypoint": ["sleep", seconds]},
            ProcessingResources={
                "ClusterConfig": {"InstanceType": "ml.m5.xlarge", "InstanceCount": 1, "VolumeSizeInGB": 1}
            },
        )
    sm("StopProcessingJob", ProcessingJobName="walk-stopped")
    until("DescribeProcessingJob", "ProcessingJobStatus", "Completed", ProcessingJobName="walk")
    driver.wait("sagemaker", "processing_job_completed_or_stopped", ProcessingJobName="walk")
    assert len(sm("ListProcessingJobs")["ProcessingJobSummaries"]) == 2


@part
def experiments():
    name = {"TrialComponentName": "walk-component"}
    sm("CreateExperiment", ExperimentName="walk")
    sm("UpdateExperiment", ExperimentName="walk", Description="a walk")
    assert sm("DescribeExperiment", ExperimentName="walk")["Description"] == "a walk"
    assert len(sm("ListExperiments")["ExperimentSummaries"]) == 1
    sm("CreateTrial", TrialName="walk-trial", ExperimentName="walk")
    sm("UpdateTrial", TrialName="walk-trial", DisplayName="first")
    assert sm("DescribeTrial", TrialName="walk-trial")["DisplayName"] == "first"
    assert len(sm("ListTrials", ExperimentName="walk")["TrialSummaries"]) == 1
    sm("CreateTrialComponent", **name)
    sm("UpdateTrialComponent", **name, Parameters={"lr": {"NumberValue": 0.5}})
    sm("AssociateTrialComponent", **name, TrialName="walk-trial")
    assert sm("DescribeTrialComponent", **name)["Parameters"] == {"lr": {"NumberValue": 0.5}}
    assert len(sm("ListTrialComponents", TrialName="walk-trial")["TrialComponentSummaries"]) == 1
    sm("DisassociateTrialComponent", **name, TrialName="walk-trial")
    sm("DeleteTrialComponent", **name)
    sm("DeleteTrial", TrialName="walk-trial")
    sm("DeleteExperiment", ExperimentName="walk")


@part
def capacity():
    ec2 = "ec2"
    types = call(ec2, "DescribeInstanceTypes", InstanceTypes=["trn1.32xlarge"])["InstanceTypes"]
    assert [one["InstanceType"] for one in types] == ["trn1.32xlarge"]
    assert call(ec2, "DescribeInstanceTypeOfferings")["InstanceTypeOfferings"]
    prices = call(ec2, "DescribeSpotPriceHistory", InstanceTypes=["trn1.32xlarge"])["SpotPriceHistory"]
    assert float(prices[0]["SpotPrice"]) > 0
    assert call(ec2, "DescribeRegions")["Regions"]
    assert call(ec2, "DescribeAvailabilityZones")["AvailabilityZones"]
    call(ec2, "DescribeCapacityReservations")
    offers = call(
        ec2, "DescribeCapacityBlockOfferings", InstanceType="trn1.32xlarge", InstanceCount=1, CapacityDurationHours=24
    )["CapacityBlockOfferings"]
    block = call(
        ec2,
        "PurchaseCapacityBlock",
        CapacityBlockOfferingId=offers[0]["CapacityBlockOfferingId"],
        InstancePlatform="Linux/UNIX",
    )["CapacityReservation"]["CapacityReservationId"]
    call(ec2, "DescribeCapacityBlocks")
    longer = call(
        ec2,
        "DescribeCapacityBlockExtensionOfferings",
        CapacityReservationId=block,
        CapacityBlockExtensionDurationHours=24,
    )["CapacityBlockExtensionOfferings"]
    call(
        ec2,
        "PurchaseCapacityBlockExtension",
        CapacityReservationId=block,
        CapacityBlockExtensionOfferingId=longer[0]["CapacityBlockExtensionOfferingId"],
    )
    history = call(ec2, "DescribeCapacityBlockExtensionHistory", CapacityReservationIds=[block])
    assert len(history["CapacityBlockExtensions"]) == 1


@part
def training_plans():
    what = dict(InstanceType="ml.trn1.32xlarge", InstanceCount=1, TargetResources=["training-job"])
    offers = sm("SearchTrainingPlanOfferings", **what, DurationHours=24)["TrainingPlanOfferings"]
    offer = offers[0]["TrainingPlanOfferingId"]
    arn = sm("CreateTrainingPlan", TrainingPlanName="walk", TrainingPlanOfferingId=offer)["TrainingPlanArn"]
    plan = sm("DescribeTrainingPlan", TrainingPlanName="walk")
    assert sm("ListTrainingPlans")["TrainingPlanSummaries"]
    reserved = plan["ReservedCapacitySummaries"][0]["ReservedCapacityArn"]
    maybe("sagemaker", "DescribeReservedCapacity", ReservedCapacityArn=reserved)
    found = sm("SearchTrainingPlanOfferings", **what, DurationHours=24, TrainingPlanArn=arn)
    sm("ExtendTrainingPlan", TrainingPlanExtensionOfferingId=found["TrainingPlanExtensionOfferings"][0]["TrainingPlanExtensionOfferingId"])
    assert sm("DescribeTrainingPlanExtensionHistory", TrainingPlanArn=arn)["TrainingPlanExtensions"]


print(driver.version, flush=True)
for function in parts:
    started = time.monotonic()
    try:
        function()
        print(f"ok {function.__name__} {time.monotonic() - started:.1f} s", flush=True)
    except Skip as operation:
        print(f"ok {function.__name__} as far as {operation}, which this version does not know", flush=True)
    except Exception:
        print(f"FAIL {function.__name__}: {traceback.format_exc()[-2000:]!r}", flush=True)
for operation in sorted(ran):
    print(f"ran {operation}")
for operation in sorted(skipped):
    print(f"skip {operation}")

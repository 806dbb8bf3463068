# Goes through the operations of `trenio server` with boto3, paginators and waiters included. Prints one line for each check:
# "ok NAME", "skip NAME" (this version of boto3 does not know the operation) or "FAIL NAME: why".
#
#   python3 suite.py IMAGE_FOR_TRAINING URL       with the AWS_ variables of the server
import io
import sys
import time
import traceback
import urllib.request

import boto3
import botocore
from botocore.config import Config
from botocore.exceptions import ClientError
from boto3.s3.transfer import TransferConfig

IMAGE = sys.argv[1]
ROLE = "arn:aws:iam::123456789012:role/boto3"
ENDPOINT = sys.argv[2]
QUICK = {"Delay": 1, "MaxAttempts": 120}


def client(name, config=None):
    # Versions before 1.28 do not read AWS_ENDPOINT_URL.
    return boto3.client(name, endpoint_url=ENDPOINT, config=config)


sts, s3, sagemaker, logs, ec2 = (client(name) for name in ("sts", "s3", "sagemaker", "logs", "ec2"))
checks = []


def check(*needed):
    """Registers a check. Each of `needed` is (client, method)."""

    def register(function):
        checks.append((function.__name__, needed, function))
        return function

    return register


def error_of(call, **arguments):
    try:
        call(**arguments)
    except ClientError as error:
        return error.response["Error"]["Code"], error.response["Error"]["Message"]
    return "no error", ""


def post(form, name, content):
    """The status of an upload by a form."""
    disposition = 'Content-Disposition: form-data; name="{}"'
    parts = [f"{disposition.format(field)}\r\n\r\n{value}" for field, value in form["fields"].items()]
    parts.append(f'{disposition.format("file")}; filename="{name}"\r\n\r\n')
    body = "".join("--edge\r\n" + part + "\r\n" for part in parts[:-1]) + "--edge\r\n" + parts[-1]
    headers = {"Content-Type": "multipart/form-data; boundary=edge"}
    request = urllib.request.Request(form["url"], body.encode() + content + b"\r\n--edge--\r\n", headers)
    return urllib.request.urlopen(request).status


def pages(service, operation, key, size, **arguments):
    paginator = service.get_paginator(operation)
    found = []
    for page in paginator.paginate(PaginationConfig={"PageSize": size}, **arguments):
        found += page[key]
    return found


@check()
def identity():
    answer = sts.get_caller_identity()
    assert answer["Account"] == "123456789012", answer


@check()
def objects():
    s3.create_bucket(Bucket="boto3")
    s3.get_waiter("bucket_exists").wait(Bucket="boto3", WaiterConfig=QUICK)
    large = bytes(range(256)) * 40_000
    s3.upload_fileobj(
        io.BytesIO(large), "boto3", "large", Config=TransferConfig(multipart_threshold=5 << 20, multipart_chunksize=5 << 20)
    )
    target = io.BytesIO()
    s3.download_fileobj("boto3", "large", target)
    assert target.getvalue() == large
    for i in range(5):
        s3.put_object(Bucket="boto3", Key=f"in/{i} +é", Body=b"x" * i, Metadata={"number": str(i)})
    s3.get_waiter("object_exists").wait(Bucket="boto3", Key="in/4 +é", WaiterConfig=QUICK)
    assert s3.head_object(Bucket="boto3", Key="in/3 +é")["Metadata"] == {"number": "3"}
    keys = [one["Key"] for one in pages(s3, "list_objects_v2", "Contents", 2, Bucket="boto3", Prefix="in/")]
    assert keys == [f"in/{i} +é" for i in range(5)], keys
    assert s3.get_object(Bucket="boto3", Key="large", Range="bytes=256-258")["Body"].read() == bytes([0, 1, 2])
    s3.copy_object(Bucket="boto3", Key="copy", CopySource={"Bucket": "boto3", "Key": "in/2 +é"})
    url = s3.generate_presigned_url("get_object", Params={"Bucket": "boto3", "Key": "copy"})
    assert urllib.request.urlopen(url).read() == b"xx"
    for signature in ("s3", "s3v4"):
        signer = client("s3", Config(signature_version=signature))
        form = signer.generate_presigned_post("boto3", "forms/${filename}", {"acl": "private"}, [{"acl": "private"}])
        assert post(form, "a.txt", b"by a form") == 204
        assert s3.get_object(Bucket="boto3", Key="forms/a.txt")["Body"].read() == b"by a form"
    s3.delete_object(Bucket="boto3", Key="forms/a.txt")
    answer = s3.delete_objects(Bucket="boto3", Delete={"Objects": [{"Key": "copy"}, {"Key": "large"}]})
    assert len(answer["Deleted"]) == 2, answer
    s3.get_waiter("object_not_exists").wait(Bucket="boto3", Key="copy", WaiterConfig=QUICK)
    assert error_of(s3.get_object, Bucket="boto3", Key="copy")[0] == "NoSuchKey"
    assert "boto3" in [one["Name"] for one in s3.list_buckets()["Buckets"]]


def training(name, **hyperparameters):
    return dict(
        TrainingJobName=name,
        RoleArn=ROLE,
        AlgorithmSpecification={"TrainingImage": IMAGE, "TrainingInputMode": "File"},
        HyperParameters=hyperparameters,
        InputDataConfig=[
            {
                "ChannelName": "train",
                "DataSource": {"S3DataSource": {"S3DataType": "S3Prefix", "S3Uri": "s3://boto3/in/"}},
            }
        ],
        OutputDataConfig={"S3OutputPath": "s3://boto3/out"},
        ResourceConfig={"InstanceType": "ml.trn1.2xlarge", "InstanceCount": 1, "VolumeSizeInGB": 1},
        StoppingCondition={"MaxRuntimeInSeconds": 60},
        Tags=[{"Key": "team", "Value": "nlp"}],
    )


@check()
def training_jobs():
    arn = sagemaker.create_training_job(**training("boto3-a"))["TrainingJobArn"]
    sagemaker.create_training_job(**training("boto3-b", seconds="50"))
    assert error_of(sagemaker.create_training_job, **training("boto3-a"))[0] == "ResourceInUse"
    waiter = sagemaker.get_waiter("training_job_completed_or_stopped")
    waiter.wait(TrainingJobName="boto3-a", WaiterConfig=QUICK)
    job = sagemaker.describe_training_job(TrainingJobName="boto3-a")
    assert job["TrainingJobStatus"] == "Completed", job
    assert job["BillableTimeInSeconds"] >= 1
    assert s3.head_object(Bucket="boto3", Key="out/boto3-a/output/model.tar.gz")["ContentLength"] > 0
    sagemaker.stop_training_job(TrainingJobName="boto3-b")
    waiter.wait(TrainingJobName="boto3-b", WaiterConfig=QUICK)
    names = [
        one["TrainingJobName"] for one in pages(sagemaker, "list_training_jobs", "TrainingJobSummaries", 1, SortBy="Name")
    ]
    assert names == ["boto3-a", "boto3-b"], names
    sagemaker.add_tags(ResourceArn=arn, Tags=[{"Key": "cost", "Value": "1"}])
    sagemaker.delete_tags(ResourceArn=arn, TagKeys=["team"])
    assert pages(sagemaker, "list_tags", "Tags", 50, ResourceArn=arn) == [{"Key": "cost", "Value": "1"}]
    missing = error_of(sagemaker.describe_training_job, TrainingJobName="none")
    assert missing == ("ValidationException", "Requested resource not found."), missing


@check((sagemaker, "delete_training_job"))
def deleted_training_job():
    sagemaker.delete_training_job(TrainingJobName="boto3-b")
    assert error_of(sagemaker.describe_training_job, TrainingJobName="boto3-b")[0] == "ValidationException"


@check()
def logs_of_jobs():
    group = "/aws/sagemaker/TrainingJobs"
    streams = pages(logs, "describe_log_streams", "logStreams", 1, logGroupName=group, logStreamNamePrefix="boto3-a/")
    assert len(streams) == 1, streams
    events = pages(logs, "filter_log_events", "events", 2, logGroupName=group, logStreamNamePrefix="boto3-a/")
    assert any("loss=" in one["message"] for one in events), events
    name = streams[0]["logStreamName"]
    page = logs.get_log_events(logGroupName=group, logStreamName=name, startFromHead=True)
    assert len(page["events"]) == len(events)
    end = logs.get_log_events(logGroupName=group, logStreamName=name, nextToken=page["nextForwardToken"])
    assert end["events"] == [] and end["nextForwardToken"] == page["nextForwardToken"]
    assert group in [one["logGroupName"] for one in pages(logs, "describe_log_groups", "logGroups", 1)]


@check()
def written_logs():
    where = {"logGroupName": "boto3", "logStreamName": "one"}
    logs.create_log_group(logGroupName="boto3")
    logs.create_log_stream(**where)
    logs.put_log_events(**where, logEvents=[{"timestamp": int(time.time() * 1000), "message": "hello"}])
    assert logs.get_log_events(**where, startFromHead=True)["events"][0]["message"] == "hello"
    logs.put_retention_policy(logGroupName="boto3", retentionInDays=7)
    logs.delete_retention_policy(logGroupName="boto3")
    logs.delete_log_stream(**where)
    logs.delete_log_group(logGroupName="boto3")
    assert error_of(logs.describe_log_streams, logGroupName="boto3")[0] == "ResourceNotFoundException"


@check()
def tuning_jobs():
    definition = training("x")
    for name in ("TrainingJobName", "HyperParameters", "Tags"):
        del definition[name]
    definition["AlgorithmSpecification"]["MetricDefinitions"] = [{"Name": "loss", "Regex": "loss=([0-9.]+);"}]
    name = {"HyperParameterTuningJobName": "boto3"}
    sagemaker.create_hyper_parameter_tuning_job(
        **name,
        HyperParameterTuningJobConfig={
            "Strategy": "Random",
            "HyperParameterTuningJobObjective": {"Type": "Minimize", "MetricName": "loss"},
            "ResourceLimits": {"MaxNumberOfTrainingJobs": 2, "MaxParallelTrainingJobs": 2},
            "ParameterRanges": {"ContinuousParameterRanges": [{"Name": "lr", "MinValue": "0.1", "MaxValue": "1"}]},
        },
        TrainingJobDefinition=definition,
    )
    while sagemaker.describe_hyper_parameter_tuning_job(**name)["HyperParameterTuningJobStatus"] == "InProgress":
        time.sleep(0.2)
    job = sagemaker.describe_hyper_parameter_tuning_job(**name)
    assert job["TrainingJobStatusCounters"]["Completed"] == 2, job
    assert "lr" in job["BestTrainingJob"]["TunedHyperParameters"]
    operation = "list_training_jobs_for_hyper_parameter_tuning_job"
    assert len(pages(sagemaker, operation, "TrainingJobSummaries", 1, **name)) == 2
    assert len(pages(sagemaker, "list_hyper_parameter_tuning_jobs", "HyperParameterTuningJobSummaries", 1)) == 1
    # Not in versions before 1.34.
    if hasattr(sagemaker, "delete_hyper_parameter_tuning_job"):
        sagemaker.delete_hyper_parameter_tuning_job(**name)


@check((sagemaker, "create_training_plan"))
def training_plans():
    found = sagemaker.search_training_plan_offerings(
        InstanceType="ml.trn1.32xlarge", InstanceCount=1, DurationHours=24, TargetResources=["training-job"]
    )["TrainingPlanOfferings"]
    sagemaker.create_training_plan(
        TrainingPlanName="boto3", TrainingPlanOfferingId=found[0]["TrainingPlanOfferingId"]
    )
    assert sagemaker.describe_training_plan(TrainingPlanName="boto3")["Status"] == "Active"
    assert len(pages(sagemaker, "list_training_plans", "TrainingPlanSummaries", 1)) == 1


@check()
def processing_jobs():
    name = {"ProcessingJobName": "boto3"}
    code = b"from pathlib import Path\nfor path in Path('/opt/ml/processing/in').iterdir():\n    (Path('/opt/ml/processing/out') / path.name).write_text(path.name)\n"
    s3.put_object(Bucket="boto3", Key="code/names.py", Body=code)

    def source(name, key):
        return {
            "InputName": name,
            "S3Input": {
                "S3Uri": f"s3://boto3/{key}/",
                "LocalPath": f"/opt/ml/processing/{name}",
                "S3DataType": "S3Prefix",
                "S3InputMode": "File",
            },
        }

    target = {"S3Uri": "s3://boto3/names", "LocalPath": "/opt/ml/processing/out", "S3UploadMode": "EndOfJob"}
    request = dict(
        **name,
        RoleArn=ROLE,
        AppSpecification={
            "ImageUri": "trenio",
            "ContainerEntrypoint": [sys.executable, "/opt/ml/processing/code/names.py"],
        },
        ProcessingInputs=[source("code", "code"), source("in", "in")],
        ProcessingOutputConfig={"Outputs": [{"OutputName": "out", "S3Output": target}]},
        ProcessingResources={
            "ClusterConfig": {"InstanceType": "ml.m5.xlarge", "InstanceCount": 1, "VolumeSizeInGB": 1}
        },
    )
    arn = sagemaker.create_processing_job(**request)["ProcessingJobArn"]
    assert error_of(sagemaker.create_processing_job, **request)[0] == "ResourceInUse"
    sagemaker.get_waiter("processing_job_completed_or_stopped").wait(**name, WaiterConfig=QUICK)
    job = sagemaker.describe_processing_job(**name)
    assert job["ProcessingJobStatus"] == "Completed" and job["ProcessingJobArn"] == arn, job
    keys = [one["Key"] for one in pages(s3, "list_objects_v2", "Contents", 100, Bucket="boto3", Prefix="names/")]
    assert keys == [f"names/{i} +é" for i in range(5)], keys
    assert len(pages(sagemaker, "list_processing_jobs", "ProcessingJobSummaries", 1)) == 1
    missing = error_of(sagemaker.describe_processing_job, ProcessingJobName="none")
    assert missing == ("ValidationException", "Could not find requested job with name: none"), missing


@check()
def experiments():
    sagemaker.create_experiment(ExperimentName="boto3")
    sagemaker.create_trial(TrialName="boto3-trial", ExperimentName="boto3")
    config = {"ExperimentName": "boto3", "TrialName": "boto3-trial"}
    sagemaker.create_training_job(**training("boto3-run", rate="0.5"), ExperimentConfig=config)
    sagemaker.get_waiter("training_job_completed_or_stopped").wait(TrainingJobName="boto3-run", WaiterConfig=QUICK)
    name = "boto3-run-aws-training-job"
    listed = pages(sagemaker, "list_trial_components", "TrialComponentSummaries", 1, TrialName="boto3-trial")
    assert [one["TrialComponentName"] for one in listed] == [name], listed
    component = sagemaker.describe_trial_component(TrialComponentName=name)
    assert component["Parameters"]["rate"] == {"NumberValue": 0.5}, component
    found = sagemaker.search(
        Resource="ExperimentTrialComponent",
        SearchExpression={"Filters": [{"Name": "Parents.ExperimentName", "Operator": "Equals", "Value": "boto3"}]},
    )["Results"]
    assert [one["TrialComponent"]["TrialComponentName"] for one in found] == [name], found
    sagemaker.disassociate_trial_component(TrialComponentName=name, TrialName="boto3-trial")
    sagemaker.delete_trial(TrialName="boto3-trial")
    sagemaker.delete_experiment(ExperimentName="boto3")
    assert error_of(sagemaker.describe_experiment, ExperimentName="boto3")[0] == "ResourceNotFound"


@check()
def instance_types():
    types = pages(ec2, "describe_instance_types", "InstanceTypes", 5)
    assert "trn1.32xlarge" in [one["InstanceType"] for one in types]
    assert len(pages(ec2, "describe_instance_type_offerings", "InstanceTypeOfferings", 5)) == len(types)
    prices = pages(ec2, "describe_spot_price_history", "SpotPriceHistory", 3, InstanceTypes=["trn1.32xlarge"])
    assert float(prices[0]["SpotPrice"]) > 0
    assert ec2.describe_regions()["Regions"][0]["RegionName"] == "us-east-1"
    assert ec2.describe_availability_zones()["AvailabilityZones"][0]["State"] == "available"
    assert ec2.describe_capacity_reservations()["CapacityReservations"] == []
    assert error_of(ec2.describe_vpcs)[0] == "InvalidAction"


@check((ec2, "purchase_capacity_block"))
def capacity_blocks():
    found = ec2.describe_capacity_block_offerings(
        InstanceType="trn1.32xlarge", InstanceCount=1, CapacityDurationHours=24
    )["CapacityBlockOfferings"]
    bought = ec2.purchase_capacity_block(
        CapacityBlockOfferingId=found[0]["CapacityBlockOfferingId"], InstancePlatform="Linux/UNIX"
    )["CapacityReservation"]
    assert bought["State"] == "active", bought
    reservations = pages(ec2, "describe_capacity_reservations", "CapacityReservations", 1)
    assert [one["CapacityReservationId"] for one in reservations] == [bought["CapacityReservationId"]]


@check()
def unknown_operations():
    assert error_of(sagemaker.list_apps)[0] == "UnknownOperationException"


print(f"boto3 {boto3.__version__}, botocore {botocore.__version__}", flush=True)
for name, needed, function in checks:
    if not all(hasattr(service, method) for service, method in needed):
        print(f"skip {name}", flush=True)
        continue
    try:
        function()
        print(f"ok {name}", flush=True)
    except Exception:
        print(f"FAIL {name}: {traceback.format_exc()[-2000:]!r}", flush=True)
